import { jsonOf } from "../../../shared/json/parse.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { clone, isObject, type JsonObject } from "../json.ts";
import type { ApiObject, ResourceType, Strategy } from "../resource-type.ts";
import { builtIn } from "./built-in.ts";
import { fillIn, numberAt, objectAt, objectIn, objectsAt, textAt } from "./reading.ts";
import {
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
  HorizontalPodAutoscalerV1Spec,
  HorizontalPodAutoscalerV1Status,
} from "./schema/autoscaling.ts";

const group = "autoscaling";
const USUAL_UTILIZATION = 80;
/** The annotation that keeps, as JSON, the parts of autoscaling/v2 without a field in v1. */
const METRICS = "autoscaling.alpha.kubernetes.io/metrics";
const BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";

const cpu = (averageUtilization: number): JsonObject => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
});
const utilizationOf = (metric: JsonObject): number | undefined => {
  const resource = objectAt(metric, "resource");
  return textAt(resource, "name") === "cpu"
    ? numberAt(objectAt(resource, "target"), "averageUtilization")
    : undefined;
};

function fillSpec(object: ApiObject): void {
  const spec = objectIn(object, "spec");
  fillIn(spec, { minReplicas: 1 });
  if (objectsAt(spec, "metrics").length === 0) spec.metrics = [cpu(USUAL_UTILIZATION)];
  const status = objectIn(object, "status");
  fillIn(status, { desiredReplicas: 0 });
  status.currentMetrics ??= null;
}

function validate(object: KubeObject): FieldError[] {
  const spec = objectAt(object as JsonObject, "spec");
  const errors: FieldError[] = [];
  const [least, most] = [numberAt(spec, "minReplicas") ?? 1, numberAt(spec, "maxReplicas") ?? 0];
  if (least < 1) errors.push(fault.invalid("spec.minReplicas", least, "must be greater than or equal to 1"));
  if (most < 1) errors.push(fault.required("spec.maxReplicas", "must be set and greater than 0"));
  if (most < least)
    errors.push(fault.invalid("spec.maxReplicas", most, "must be greater than or equal to `minReplicas`"));
  const target = objectAt(spec, "scaleTargetRef");
  for (const field of ["kind", "name"])
    if (textAt(target, field) === "") errors.push(fault.required(`spec.scaleTargetRef.${field}`));
  if (textAt(target, "apiVersion") === "")
    errors.push(fault.invalid("spec.scaleTargetRef.apiVersion", "", "apiVersion must specify API group"));
  return errors;
}

const strategy: Strategy = {
  default: fillSpec,
  prepareForCreate(object) {
    object.status = {};
    fillSpec(object);
  },
  validate: (object, _, subresource) => (subresource === "status" ? [] : validate(object)),
};

function toFirst(stored: KubeObject): ApiObject {
  const object = { ...clone(stored), apiVersion: `${group}/v1` } as ApiObject;
  const { metrics, behavior, ...spec } = objectIn(object, "spec");
  const all = Array.isArray(metrics) ? metrics.filter(isObject) : [];
  const plain = all.find((metric) => utilizationOf(metric) !== undefined);
  const others = all.filter((metric) => metric !== plain);
  const kept = {
    ...(others.length > 0 ? { [METRICS]: JSON.stringify(others) } : {}),
    ...(behavior === undefined ? {} : { [BEHAVIOR]: JSON.stringify(behavior) }),
  };
  if (Object.keys(kept).length > 0) object.metadata.annotations = { ...object.metadata.annotations, ...kept };
  const utilization = plain === undefined ? undefined : utilizationOf(plain);
  const { currentMetrics: _, ...status } = objectIn(object, "status");
  object.spec = {
    ...spec,
    ...(utilization === undefined ? {} : { targetCPUUtilizationPercentage: utilization }),
  };
  object.status = { ...status, currentReplicas: status.currentReplicas ?? 0 };
  return object;
}

/** JSON that a client may have written by hand; what is none says nothing. */
const parsedAnnotation = (object: ApiObject, name: string): unknown =>
  jsonOf(object.metadata.annotations?.[name] ?? "");

function fromFirst(given: KubeObject): ApiObject {
  const object = { ...clone(given), apiVersion: `${group}/v2` } as ApiObject;
  const { targetCPUUtilizationPercentage: utilization, ...spec } = objectIn(object, "spec");
  const others = parsedAnnotation(object, METRICS);
  const behavior = parsedAnnotation(object, BEHAVIOR);
  const metrics = [
    ...(Array.isArray(others) ? others : []),
    ...(typeof utilization === "number" ? [cpu(utilization)] : []),
  ];
  object.spec = { ...spec, ...(isObject(behavior) ? { behavior } : {}), metrics };
  const { [METRICS]: _, [BEHAVIOR]: __, ...annotations } = object.metadata.annotations ?? {};
  if (Object.keys(annotations).length > 0) object.metadata.annotations = annotations;
  else delete object.metadata.annotations;
  fillSpec(object);
  const status = objectIn(object, "status");
  if (status.currentReplicas === 0) delete status.currentReplicas;
  return object;
}

const names = {
  group,
  kind: "HorizontalPodAutoscaler",
  shortNames: ["hpa"],
  categories: ["all"],
  description: "How many pods a workload is to have, by what they use. Kept here; nobody measures.",
  status: true,
} as const;

/** autoscaling/v2, and v1 as another spelling of the same objects. */
export const autoscaling: readonly ResourceType[] = [
  builtIn({
    ...names,
    version: "v2",
    fields: {
      spec: HorizontalPodAutoscalerSpec.optional(),
      status: HorizontalPodAutoscalerStatus.optional(),
    },
    strategy,
  }),
  builtIn({
    ...names,
    fields: {
      spec: HorizontalPodAutoscalerV1Spec.optional(),
      status: HorizontalPodAutoscalerV1Status.optional(),
    },
    strategy: {
      default(object) {
        const spec = objectIn(object, "spec");
        fillIn(spec, { minReplicas: 1 });
        if (objectAt(object, "metadata").annotations === undefined)
          fillIn(spec, { targetCPUUtilizationPercentage: USUAL_UTILIZATION });
        fillIn(objectIn(object, "status"), { currentReplicas: 0, desiredReplicas: 0 });
      },
      validate: (object, _, subresource) => (subresource === "status" ? [] : validate(object)),
    },
    storedAs: { group, plural: "horizontalpodautoscalers", read: toFirst, write: fromFirst },
  }),
];
