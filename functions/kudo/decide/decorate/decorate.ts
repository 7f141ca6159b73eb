import { type Fields, fieldsOf } from "../../../../shared/json/fields.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import {
  DEPENDENCIES_HASH_ANNOTATION,
  HERITAGE,
  HERITAGE_LABEL,
  INSTANCE_LABEL,
  OPERATOR_LABEL,
  OPERATOR_VERSION_ANNOTATION,
  PHASE_ANNOTATION,
  PLAN_ANNOTATION,
  PLAN_UID_ANNOTATION,
  STEP_ANNOTATION,
} from "./marks.ts";
import type { Origin } from "./origin.ts";
import { changedAt, podTemplateOf, podTemplatePath } from "./pod-template.ts";

type Marks = Readonly<Record<string, string>>;

/** The labels by which everything of an Instance is found. */
export const labelsOf = ({ operator, instance }: Pick<Origin, "operator" | "instance">): Marks => ({
  [HERITAGE_LABEL]: HERITAGE,
  [OPERATOR_LABEL]: operator,
  [INSTANCE_LABEL]: instance,
});

/**
 * A rendered object with the marks of upstream's conventions (section 4): its values win over the template's. A namespaced one
 * lies in the namespace of its Instance. Selectors are left alone. The uid of the run is not on pod templates: it would restart
 * every pod whenever a plan runs.
 * @param hash see `dependenciesHash`; undefined where its pods mount nothing, or where the template cannot change (Jobs).
 */
export function decorated(
  object: KubeObject,
  scope: "Namespaced" | "Cluster",
  origin: Origin,
  hash: string | undefined,
): KubeObject {
  const labels = labelsOf(origin);
  const { namespace: _, ...metadata } = object.metadata;
  const own: KubeObject = {
    ...object,
    metadata: {
      ...metadata,
      ...(scope === "Namespaced" && { namespace: origin.namespace }),
      labels: { ...metadata.labels, ...labels },
      annotations: {
        ...metadata.annotations,
        [PLAN_ANNOTATION]: origin.plan,
        [PHASE_ANNOTATION]: origin.phase,
        [STEP_ANNOTATION]: origin.step,
        [PLAN_UID_ANNOTATION]: origin.planUid,
      },
    },
  };
  const path = podTemplatePath(object);
  if (path === undefined || podTemplateOf(object) === undefined) return own;
  const annotations: Marks = {
    [OPERATOR_VERSION_ANNOTATION]: origin.operatorVersion,
    ...(hash !== undefined && { [DEPENDENCIES_HASH_ANNOTATION]: hash }),
  };
  const withTemplate = changedAt(own, [...path, "metadata"], (found) => marked(found, labels, annotations));
  return withClaims(withTemplate, labels);
}

function marked(metadata: Fields, labels: Marks, annotations: Marks = {}): Fields {
  const merged = { ...fieldsOf(metadata.annotations), ...annotations };
  return {
    ...metadata,
    labels: { ...fieldsOf(metadata.labels), ...labels },
    ...(Object.keys(merged).length > 0 && { annotations: merged }),
  };
}

/** Claims of a StatefulSet outlive it: by their labels people find them. */
function withClaims(object: KubeObject, labels: Marks): KubeObject {
  const spec = fieldsOf(object.spec);
  if (object.kind !== "StatefulSet" || !Array.isArray(spec.volumeClaimTemplates)) return object;
  const volumeClaimTemplates = spec.volumeClaimTemplates.map((claim: unknown) =>
    changedAt(fieldsOf(claim), ["metadata"], (metadata) => marked(metadata, labels)),
  );
  return { ...object, spec: { ...spec, volumeClaimTemplates } };
}
