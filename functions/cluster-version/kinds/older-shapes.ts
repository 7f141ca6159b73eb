import * as z from "zod";

const metadata = z.looseObject({ name: z.string(), namespace: z.string().optional() });
const extension = z.looseObject({}).nullish();

/** The first shape: flat, in a namespace, with exactly one condition at a time. */
export const operatorStatus = z.object({
  apiVersion: z.literal("operatorstatus.openshift.io/v1"),
  kind: z.literal("OperatorStatus"),
  metadata,
  condition: z.object({
    type: z.enum(["Waiting", "Working", "Done", "Degraded"]),
    message: z.string().default(""),
  }),
  version: z.string().default(""),
  lastUpdate: z.string().nullish(),
  extension,
});
/** The first shape. */
export type OldOperatorStatus = z.output<typeof operatorStatus>;

/** The second shape: spec and status, still in a namespace, one version, and Failing where it says Degraded today. */
export const namespacedClusterOperator = z.object({
  apiVersion: z.literal("operatorstatus.openshift.io/v1"),
  kind: z.literal("ClusterOperator"),
  metadata,
  spec: z.looseObject({}).optional(),
  status: z
    .object({
      conditions: z
        .array(
          z.object({
            type: z.string(),
            status: z.string(),
            reason: z.string().optional(),
            message: z.string().optional(),
            lastTransitionTime: z.string().nullish(),
          }),
        )
        .default([]),
      version: z.string().default(""),
      extension,
    })
    .default({ conditions: [], version: "", extension: undefined }),
});
/** The second shape. */
export type OldClusterOperator = z.output<typeof namespacedClusterOperator>;

/** Either of them, told apart by its kind. */
export const olderShape = z.discriminatedUnion("kind", [operatorStatus, namespacedClusterOperator]);
export type OlderShape = z.output<typeof olderShape>;
