import { configuration } from "../configuration.ts";
import { SECONDARY } from "../kinds/annotations.ts";
import type { ClusterPlatform, Condition, Platform, Workflow } from "../kinds/index.ts";
import {
  ClusterPlatform as ClusterPlatformKind,
  Platform as PlatformKind,
  Workflow as WorkflowKind,
} from "../kinds/index.ts";

/** Objects as they are read, for tests. */
export const NOW = "2026-02-03T04:05:06.000Z";
export const CONFIG = configuration.parse({});

interface Some {
  readonly name: string;
  readonly namespace?: string;
  readonly createdAt?: string;
  readonly deleting?: boolean;
  readonly secondary?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly status?: object;
}
const object = (
  kind: { readonly kind: string; readonly fields: { parse(value: unknown): object } },
  it: Some,
): unknown => ({
  apiVersion: "sonataflow.org/v1alpha08",
  kind: kind.kind,
  metadata: {
    name: it.name,
    ...(it.namespace !== undefined && { namespace: it.namespace }),
    uid: `uid-${it.namespace ?? ""}-${it.name}`,
    resourceVersion: "1",
    generation: 1,
    creationTimestamp: it.createdAt ?? "2026-01-01T00:00:00Z",
    ...(it.deleting === true && { deletionTimestamp: NOW }),
    labels: it.labels ?? {},
    annotations: { ...it.annotations, ...(it.secondary === true && { [SECONDARY]: "true" }) },
    finalizers: [],
    ownerReferences: [],
  },
  ...kind.fields.parse(it.spec === undefined ? {} : { spec: it.spec }),
  ...(it.status !== undefined && { status: it.status }),
});

export const clusterPlatform = (it: Some): ClusterPlatform =>
  object(ClusterPlatformKind, it) as ClusterPlatform;
export const platform = (it: Some & { readonly namespace: string }): Platform =>
  object(PlatformKind, it) as Platform;
export const workflow = (it: Some & { readonly namespace: string }): Workflow =>
  object(WorkflowKind, it) as Workflow;

export const succeed = (status: Condition["status"], reason = "", message = "", lastUpdateTime = NOW) => ({
  conditions: [{ type: "Succeed", status, reason, message, lastUpdateTime }],
});
export const FLOW = { start: "A", states: [{ name: "A", type: "inject", data: {}, end: true }] };
