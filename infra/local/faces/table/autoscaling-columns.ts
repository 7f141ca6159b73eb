import type { KubeObject } from "../../../../shared/kube/object.ts";
import type { JsonObject } from "../../json.ts";
import { age, at, listOf, numberOf, textOf } from "./cells.ts";
import { column, type TableColumn } from "./columns.ts";

const SHOWN = 2;

/** The target of a metric; nobody measures its value. */
function targetOf(metric: JsonObject): string {
  const type = textOf(metric, "type");
  const source = type.charAt(0).toLowerCase() + type.slice(1);
  const named = source === "resource" || source === "containerResource";
  const name = named ? `${textOf(metric, source, "name")}: ` : "";
  const percent = at(metric, source, "target", "averageUtilization");
  if (typeof percent === "number") return `${name}<unknown>/${percent}%`;
  const average = textOf(metric, source, "target", "averageValue");
  if (average === "") return `${name}<unknown>/${textOf(metric, source, "target", "value")}`;
  return `${name}<unknown>/${average}${source === "pods" || named ? "" : " (avg)"}`;
}

function targetsOf(autoscaler: KubeObject): string {
  // v1 has its one metric in a field of its own.
  const plain = at(autoscaler, "spec", "targetCPUUtilizationPercentage");
  if (typeof plain === "number") return `cpu: <unknown>/${plain}%`;
  const targets = listOf(autoscaler, "spec", "metrics").map(targetOf);
  if (targets.length === 0) return "<none>";
  const more = targets.length > SHOWN ? ` + ${targets.length - SHOWN} more...` : "";
  return `${targets.slice(0, SHOWN).join(", ")}${more}`;
}

/** The columns of kinds that grow with what is used. */
export const autoscalingColumns: Readonly<Record<string, readonly TableColumn[]>> = {
  "autoscaling/HorizontalPodAutoscaler": [
    column(
      "Reference",
      (one) =>
        `${textOf(one, "spec", "scaleTargetRef", "kind")}/${textOf(one, "spec", "scaleTargetRef", "name")}`,
    ),
    column("Targets", targetsOf),
    column("MinPods", (one) => String(at(one, "spec", "minReplicas") ?? "<unset>")),
    column("MaxPods", (one) => numberOf(one, "spec", "maxReplicas"), { type: "integer" }),
    column("Replicas", (one) => numberOf(one, "status", "currentReplicas"), { type: "integer" }),
    age,
  ],
  "autoscaling/Scale": [
    column("Desired", (one) => numberOf(one, "spec", "replicas"), { type: "integer" }),
    column("Available", (one) => numberOf(one, "status", "replicas"), { type: "integer" }),
    age,
  ],
};
