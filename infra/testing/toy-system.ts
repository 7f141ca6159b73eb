import * as z from "zod";
import { changed, defineKind, defineSystem, each } from "../../shared/function/index.ts";

/** A workshop for the whole cluster. */
export class Workshop extends defineKind({
  group: "toys.example.org",
  version: "v1",
  kind: "Workshop",
  scope: "Cluster",
  fields: { spec: z.object({ open: z.boolean() }) },
  status: z.object({ toys: z.int().optional() }),
  facts: (it) => ({ open: it.spec.open }),
}) {}

/** A toy that is made while its workshop is open. */
export class Toy extends defineKind({
  group: "toys.example.org",
  version: "v1",
  kind: "Toy",
  scope: "Namespaced",
  fields: { spec: z.object({ workshop: z.string() }) },
  status: z.object({ made: z.boolean().optional() }),
}) {}

/** Marks a toy as made while its workshop is open. */
export const toys = each(Toy).function({
  name: "toys",
  wakes: [changed(Workshop).toEvery({})],
  observe: async ({ self, read }) => ({
    self,
    workshop: await read.get(Workshop, { name: self.spec.workshop }),
  }),
  reconcile: ({ self, workshop }) => ({
    status: { ...self.status, made: workshop?.spec.open === true },
  }),
});

/** A system that the engine's own tests take their kinds from: one kind of the cluster, one of a namespace, and a predecessor. */
export const toySystem = defineSystem({
  name: "toys",
  config: z.object({ patience: z.string().default("1s").describe("How long a child waits for its toy.") }),
  functions: [toys],
  predecessors: [{ name: "the toy operator", labelSelector: "app.example.org/name=toy-operator" }],
});
