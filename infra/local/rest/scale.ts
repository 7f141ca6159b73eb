import type { KubeObject } from "../../../shared/kube/object.ts";
import { internalError, notOffered } from "../api-error.ts";
import { clone, isObject, type JsonObject, setOwn, valueAtPath } from "../json.ts";
import type { ApiObject, ResourceType, ScaleSubresource } from "../resource-type.ts";

/** The `Scale` view of an object. Throws the real server's 500 where the replicas field is missing. */
export function scaleOf(type: ResourceType, object: KubeObject): ApiObject {
  const scale = scaleRule(type);
  const replicas = valueAtPath(object, scale.specReplicasPath);
  if (typeof replicas !== "number")
    throw internalError(`the spec replicas field ${JSON.stringify(scale.specReplicasPath)} does not exist`);
  const selector =
    scale.labelSelectorPath === undefined ? undefined : valueAtPath(object, scale.labelSelectorPath);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas },
    status: {
      replicas: Number(valueAtPath(object, scale.statusReplicasPath) ?? 0),
      ...(selector === undefined ? {} : { selector: selectorText(selector) }),
    },
  };
}

/** The object with the replicas of a changed `Scale`. */
export function withScale(type: ResourceType, object: KubeObject, scale: KubeObject): ApiObject {
  const next = clone(object) as ApiObject;
  const path = scaleRule(type)
    .specReplicasPath.split(".")
    .filter((part) => part !== "");
  const last = path.pop() ?? "replicas";
  let at: JsonObject = next;
  for (const field of path) {
    if (!isObject(at[field])) setOwn(at, field, {});
    at = at[field] as JsonObject;
  }
  setOwn(at, last, Number(isObject(scale.spec) ? (scale.spec.replicas ?? 0) : 0));
  if (scale.metadata.resourceVersion) next.metadata.resourceVersion = scale.metadata.resourceVersion;
  return next;
}

function scaleRule(type: ResourceType): ScaleSubresource {
  if (type.subresources.scale === undefined) throw notOffered(`the scale of ${type.plural}`);
  return type.subresources.scale;
}

function selectorText(selector: unknown): string {
  if (!isObject(selector)) return String(selector);
  return Object.entries(isObject(selector.matchLabels) ? selector.matchLabels : {})
    .map(([key, value]) => `${key}=${String(value)}`)
    .sort()
    .join(",");
}
