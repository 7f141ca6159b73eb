import { fieldOf } from "../../../../shared/json/fields.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { canonicalJson } from "../../../../shared/manifests/canonical-json.ts";

/** A field that the API server never lets anybody change, and the value that it has where it is left out. */
type Fixed = readonly [path: string, byDefault?: unknown];

/** These fields by kind. */
const FIXED: Readonly<Record<string, readonly Fixed[]>> = {
  ClusterRoleBinding: [["roleRef"]],
  CustomResourceDefinition: [["spec.scope"]],
  DaemonSet: [["spec.selector"]],
  Deployment: [["spec.selector"]],
  Job: [["spec.selector"], ["spec.template"], ["spec.completionMode"]],
  PersistentVolumeClaim: [["spec.accessModes"]],
  PriorityClass: [
    ["value", 0],
    ["preemptionPolicy", "PreemptLowerPriority"],
  ],
  RoleBinding: [["roleRef"]],
  Secret: [["type", "Opaque"]],
  StatefulSet: [
    ["spec.selector"],
    ["spec.serviceName"],
    ["spec.podManagementPolicy"],
    ["spec.volumeClaimTemplates"],
  ],
  StorageClass: [["provisioner"], ["parameters"]],
};
/** The fields of a ConfigMap or Secret that says `immutable: true`. */
const OF_IMMUTABLE: readonly Fixed[] = [["immutable"], ["data"], ["binaryData"], ["stringData"]];

/** The fields in which an object differs from what stands, although the server lets nobody change them. */
export function fixedFields(before: KubeObject, after: KubeObject): readonly string[] {
  const isImmutable = ["ConfigMap", "Secret"].includes(before.kind) && before.immutable === true;
  return [...(FIXED[after.kind] ?? []), ...(isImmutable ? OF_IMMUTABLE : [])].flatMap(
    ([path, byDefault = null]) =>
      canonicalJson(valueAt(before, path) ?? byDefault) === canonicalJson(valueAt(after, path) ?? byDefault)
        ? []
        : [path],
  );
}

const valueAt = (object: KubeObject, path: string): unknown =>
  path.split(".").reduce<unknown>((value, field) => fieldOf(value, field), object);
