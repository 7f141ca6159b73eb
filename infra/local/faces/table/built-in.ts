import type { KubeObject } from "../../../../shared/kube/object.ts";
import type { ResourceType } from "../../resource-type.ts";
import { accessColumns } from "./access-columns.ts";
import { autoscalingColumns } from "./autoscaling-columns.ts";
import { clusterColumns } from "./cluster-columns.ts";
import { column, type TableColumn } from "./columns.ts";

import { eventColumns } from "./event-columns.ts";
import { networkColumns } from "./network-columns.ts";
import { podColumns } from "./pod-columns.ts";
import { markedName, storageColumns } from "./storage-columns.ts";
import { workloadColumns } from "./workload-columns.ts";

/** `group/Kind` → the columns after the name. */
const known: Readonly<Record<string, readonly TableColumn[]>> = {
  ...accessColumns,
  ...autoscalingColumns,
  ...clusterColumns,
  ...networkColumns,
  ...storageColumns,
  ...workloadColumns,
  "/Pod": podColumns,
};

/** The columns of a built-in kind, as the real server has them. */
export function builtInColumns(type: ResourceType): readonly TableColumn[] {
  // An event's name says nothing: it stands at the end.
  if (type.kind === "Event") return eventColumns;
  const columns = known[`${type.group}/${type.kind}`] ?? [
    column("Created At", ({ metadata }) => metadata.creationTimestamp ?? null, { type: "date" }),
  ];
  const name = type.kind === "StorageClass" ? markedName : ({ metadata }: KubeObject) => metadata.name;
  return [column("Name", name, { format: "name" }), ...columns];
}
