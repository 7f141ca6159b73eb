import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { LabelSelector } from "../../../shared/kube/schema/selectors.ts";
import { int64, mapOf } from "../../../shared/kube/schema/words.ts";
import { conditionsOf } from "./condition.ts";
import { GROUP, LABELS } from "./labels.ts";
import { state } from "./state.ts";

const watcherSpec = z.object({
  manager: z.string().describe("The name under which its events arrive.").optional(),
  resourceToWatch: z
    .object({
      group: z.string().describe("The API group."),
      resource: z.string().describe("The plural of the kind."),
      version: z.string().describe("The API version; * for any."),
    })
    .describe("The kind that is watched in the clusters."),
  labelsToWatch: mapOf(z.string()).describe("The labels of the objects that are watched.").optional(),
  field: z.enum(["spec", "status"]).describe("The part whose changes are told."),
  serviceInfo: z
    .object({
      name: z.string().describe("Its name."),
      namespace: z.string().describe("Its namespace."),
      port: int64.describe("Its port, 1 to 65535."),
    })
    .describe("The service that takes the events."),
  gateway: z
    .object({ selector: LabelSelector.describe("The labels of the gateways.") })
    .describe("The gateways by which events come in."),
});
/** The objects that are watched in the clusters, and who is told of them. */
export type WatcherSpec = z.output<typeof watcherSpec>;

/** A kind of objects in all clusters whose changes are told to a service of the control plane. */
export class Watcher extends defineKind({
  group: GROUP,
  version: "v1beta2",
  kind: "Watcher",
  scope: "Namespaced",
  description: "A kind of objects in all clusters whose changes are told to a service of the control plane.",
  fields: { spec: watcherSpec.optional() },
  status: z.object({
    state: state.describe("How it stands."),
    conditions: conditionsOf<"VirtualService">()
      .describe("VirtualService: its events find their way.")
      .optional(),
    observedGeneration: int64.describe("The generation that this is about.").optional(),
  }),
  columns: [{ name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
  facts: (it) => ({ generation: it.metadata.generation, deleting: it.metadata.deletionTimestamp }),
  ready: (it) => it.status.state.is("Ready"),
}) {}

/** The name under which events of a Watcher arrive: its own, else that of whoever holds it. */
export const managerOf = ({
  metadata,
  spec,
}: {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec?: WatcherSpec | undefined;
}): string => spec?.manager || (metadata.labels[LABELS.managedBy] ?? "");
