import { fieldsOf, isRecord } from "../../../../shared/json/fields.ts";
import { type KubeObject, parseApiVersion } from "../../../../shared/kube/object.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import { type Mark, OWNED_LABEL, OWNED_VALUE } from "./marks.ts";

/** The kinds whose pods carry the label too. */
const WITH_PODS: Readonly<Record<string, readonly string[]>> = {
  apps: ["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"],
  extensions: ["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"],
  batch: ["Job"],
};

/** The object with our marks, in its namespace. `mark` says whose it is. */
export function marked(object: KubeObject, namespace: string | undefined, mark: Mark): ApplicableObject {
  const { metadata, status: _, ...fields } = object;
  const label = { [OWNED_LABEL]: OWNED_VALUE };
  return {
    ...withLabelledPods(fields, object, label),
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name: metadata.name,
      ...(namespace !== undefined && { namespace }),
      labels: { ...metadata.labels, ...label },
      annotations: { ...metadata.annotations, [mark.annotation]: mark.of },
      ...(metadata.finalizers !== undefined && { finalizers: metadata.finalizers }),
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;
function withLabelledPods(fields: Fields, { apiVersion, kind }: KubeObject, label: Fields): Fields {
  const spec = fieldsOf(fields.spec);
  if (!WITH_PODS[parseApiVersion(apiVersion).group]?.includes(kind) || !isRecord(spec.template))
    return fields;
  const { metadata } = spec.template;
  const labels = { ...fieldsOf(fieldsOf(metadata).labels), ...label };
  return {
    ...fields,
    spec: { ...spec, template: { ...spec.template, metadata: { ...fieldsOf(metadata), labels } } },
  };
}

/** True for a ClusterClass: Clusters may name it as soon as it is seen, so it comes last and goes first. */
export const isClusterClass = ({
  group,
  kind,
}: {
  readonly group?: string | undefined;
  readonly kind?: string | undefined;
}): boolean => group === "cluster.x-k8s.io" && kind === "ClusterClass";

const FIRST = ["Namespace", "CustomResourceDefinition"];
/** The groups with dots that API servers bring themselves. */
const BUILT_IN =
  /^((admissionregistration|apiextensions|apiregistration|authentication|authorization|certificates|coordination|discovery|events|flowcontrol\.apiserver|internal\.apiserver|metrics|networking|node|rbac\.authorization|resource|scheduling|storage|storagemigration)\.k8s\.io)$/;

/**
 * The objects in the waves in which they are applied: namespaces, definitions, the rest as it was rendered, custom resources,
 * ClusterClasses. Deletion goes the other way round, so that an operator is still there for what it looks after.
 */
export function inApplyOrder<
  One extends { readonly group?: string | undefined; readonly kind?: string | undefined },
>(objects: readonly One[]): readonly (readonly One[])[] {
  const waveOf = (object: One): number => {
    if (isClusterClass(object)) return FIRST.length + 2;
    const { group = "", kind = "" } = object;
    const first = FIRST.indexOf(kind);
    if (first >= 0) return first;
    return group.includes(".") && !BUILT_IN.test(group) ? FIRST.length + 1 : FIRST.length;
  };
  return Array.from({ length: FIRST.length + 3 }, (_, wave) =>
    objects.filter((object) => waveOf(object) === wave),
  ).filter(({ length }) => length > 0);
}
