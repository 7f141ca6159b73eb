import type { KubeObject } from "../../../../shared/kube/object.ts";
import {
  age,
  at,
  containerColumns,
  labelsOf,
  listOf,
  numberOf,
  orNone,
  selectorOf,
  textOf,
} from "./cells.ts";
import { column, type TableColumn } from "./columns.ts";
import { ageText, durationText } from "./duration.ts";

const POD = ["spec", "template", "spec"] as const;
const count = (name: string, ...path: readonly string[]): TableColumn =>
  column(name, (object) => numberOf(object, ...path), { type: "integer" });
const selector = column("Selector", (object) => selectorOf(object, "spec", "selector"), { wide: true });
const inWide = [...containerColumns(...POD), selector];
const readyOf = (object: KubeObject): string =>
  `${numberOf(object, "status", "readyReplicas")}/${numberOf(object, "spec", "replicas")}`;

function jobStatus(job: KubeObject): string {
  const holds = (type: string): boolean =>
    listOf(job, "status", "conditions").some((one) => one.type === type && one.status === "True");
  if (holds("Complete")) return "Complete";
  if (holds("Failed")) return "Failed";
  if (job.metadata.deletionTimestamp !== undefined) return "Terminating";
  if (holds("Suspended")) return "Suspended";
  if (holds("FailureTarget")) return "FailureTarget";
  return holds("SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
}

function completions(job: KubeObject): string {
  const succeeded = numberOf(job, "status", "succeeded");
  const wanted = at(job, "spec", "completions");
  const parallel = numberOf(job, "spec", "parallelism");
  if (typeof wanted === "number") return `${succeeded}/${wanted}`;
  return parallel > 1 ? `${succeeded}/1 of ${parallel}` : `${succeeded}/1`;
}

function durationCell(job: KubeObject, now: number): string {
  const start = Date.parse(textOf(job, "status", "startTime"));
  const end = Date.parse(textOf(job, "status", "completionTime"));
  if (Number.isNaN(start)) return "";
  return durationText((Number.isNaN(end) ? now : end) - start);
}

/** apps/v1 and batch/v1. */
export const workloadColumns: Readonly<Record<string, readonly TableColumn[]>> = {
  "apps/Deployment": [
    column("Ready", readyOf),
    column("Up-to-date", (object) => String(numberOf(object, "status", "updatedReplicas"))),
    column("Available", (object) => String(numberOf(object, "status", "availableReplicas"))),
    age,
    ...inWide,
  ],
  "apps/ReplicaSet": [
    count("Desired", "spec", "replicas"),
    count("Current", "status", "replicas"),
    count("Ready", "status", "readyReplicas"),
    age,
    ...inWide,
  ],
  "apps/StatefulSet": [column("Ready", readyOf), age, ...containerColumns(...POD)],
  "apps/DaemonSet": [
    count("Desired", "status", "desiredNumberScheduled"),
    count("Current", "status", "currentNumberScheduled"),
    count("Ready", "status", "numberReady"),
    count("Up-to-date", "status", "updatedNumberScheduled"),
    count("Available", "status", "numberAvailable"),
    column("Node Selector", (object) => orNone(labelsOf(object, ...POD, "nodeSelector"))),
    age,
    ...inWide,
  ],
  "apps/ControllerRevision": [
    column("Controller", ({ metadata }) => {
      const owner = metadata.ownerReferences?.find((one) => one.controller === true);
      if (owner === undefined) return "<none>";
      const { kind, name, apiVersion } = owner;
      const group = apiVersion.includes("/") ? `.${apiVersion.split("/")[0]}` : "";
      return `${kind.toLowerCase()}${group}/${name}`;
    }),
    column("Revision", (object) => String(numberOf(object, "revision"))),
    age,
  ],
  "batch/Job": [
    column("Status", jobStatus),
    column("Completions", completions),
    column("Duration", durationCell),
    age,
    ...inWide,
  ],
  "batch/CronJob": [
    column("Schedule", (object) => textOf(object, "spec", "schedule")),
    column("Timezone", (object) => orNone(textOf(object, "spec", "timeZone"))),
    column("Suspend", (object) => (at(object, "spec", "suspend") === true ? "True" : "False"), {
      type: "boolean",
    }),
    column("Active", (object) => listOf(object, "status", "active").length, { type: "integer" }),
    column("Last Schedule", (object, now) => {
      const last = textOf(object, "status", "lastScheduleTime");
      return last === "" ? "<none>" : ageText(last, now);
    }),
    age,
    ...containerColumns("spec", "jobTemplate", ...POD),
    column("Selector", (object) => selectorOf(object, "spec", "jobTemplate", "spec", "selector"), {
      wide: true,
    }),
  ],
  "/PodTemplate": [
    column("Containers", (object) =>
      listOf(object, "template", "spec", "containers")
        .map((one) => textOf(one, "name"))
        .join(","),
    ),
    column("Images", (object) =>
      listOf(object, "template", "spec", "containers")
        .map((one) => textOf(one, "image"))
        .join(","),
    ),
    column("Pod Labels", (object) => orNone(labelsOf(object, "template", "metadata", "labels"))),
  ],
};
