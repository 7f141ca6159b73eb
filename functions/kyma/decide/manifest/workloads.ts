import { fieldsOf, isRecord } from "../../../../shared/json/fields.ts";
import { parseApiVersion } from "../../../../shared/kube/object.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import { GROUPS } from "./groups.ts";

/** True for the workloads that module operators are made of. */
export const isWorkload = ({
  apiVersion,
  kind,
}: {
  readonly apiVersion: string;
  readonly kind: string;
}): boolean =>
  (kind === "Deployment" || kind === "StatefulSet") && parseApiVersion(apiVersion).group === GROUPS.workloads;

type Fields = Readonly<Record<string, unknown>>;

/** A workload whose pods are others; as it is where it has no template for them. */
export function withPodSpec(object: ApplicableObject, change: (spec: Fields) => Fields): ApplicableObject {
  const { template } = fieldsOf(object.spec);
  const { spec } = fieldsOf(template);
  if (!isRecord(spec)) return object;
  return {
    ...object,
    spec: { ...fieldsOf(object.spec), template: { ...fieldsOf(template), spec: change(spec) } },
  };
}
