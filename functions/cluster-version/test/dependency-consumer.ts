import * as z from "zod";
import { defineKind, defineSystem, each, ready } from "../../../shared/function/index.ts";

const conditions = z.array(
  z.object({ type: z.literal("Ready"), status: z.enum(["True", "False", "Unknown"]) }),
);

/** The part of a kind that an operator built on Reveille declares; the version operator brings the kind. */
class ClusterOperatorDependency extends defineKind({
  group: "reveille.dev",
  version: "v1",
  kind: "ClusterOperatorDependency",
  scope: "Cluster",
  plural: "clusteroperatordependencies",
  external: true,
  fields: { spec: z.object({ consumer: z.string(), operator: z.string(), version: z.string() }) },
  status: z.object({ conditions: conditions.optional() }),
  facts: (it) => ({ consumer: it.spec.consumer }),
  ready: (it) => it.status.conditions.of("Ready").status.is("True"),
}) {}

/** An operator's own kind. */
export class Scheduler extends defineKind({
  group: "demo.example.org",
  version: "v1",
  kind: "Scheduler",
  scope: "Cluster",
  fields: { spec: z.object({}) },
  status: z.object({ moving: z.boolean() }),
}) {}

/** An operator that moves once all that it waits for has arrived. */
export const schedulers = defineSystem({
  name: "schedulers",
  functions: [
    each(Scheduler).function({
      name: "scheduler",
      wakes: [
        ready(ClusterOperatorDependency).toEach<typeof Scheduler>(
          ({ metadata }, { consumer }) => metadata.name === consumer,
        ),
      ],
      observe: async ({ self, read }) => {
        const all = await read.list(ClusterOperatorDependency);
        return { waits: all.filter(({ spec }) => spec.consumer === self.metadata.name) };
      },
      reconcile: ({ waits }) => ({
        status: {
          moving: waits.every(({ status }) =>
            (status?.conditions ?? []).some(({ type, status: is }) => type === "Ready" && is === "True"),
          ),
        },
      }),
    }),
  ],
});
