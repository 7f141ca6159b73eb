import type { KubeObject } from "../../../../shared/kube/object.ts";
import { type ApplicableObject, namespaceOf, type Scope } from "../../../../shared/manifests/objects.ts";
import { ANNOTATIONS, LABELS } from "../../kinds/index.ts";

/** The namespace of objects that name none. */
export const DEFAULT_NAMESPACE = "default";
/** The value of `managed-by` on whatever we place in a runtime. */
export const MANAGED_BY = "kyma";
const COMPONENT = "app.kubernetes.io/component";
const PART_OF = "app.kubernetes.io/part-of";
const DISCLAIMER =
  "Do not edit: this object belongs to a module of Kyma. Whatever is changed here is changed back, and lost.";

/** A Manifest, as its marks name it. */
interface Marking {
  readonly metadata: { readonly namespace: string; readonly name: string };
}

/** The object as it is applied: in its namespace, with the marks of the Manifest that brings it. */
export function marked(object: KubeObject, scope: Scope, of: Marking): ApplicableObject {
  const { metadata, status: _, ...fields } = object;
  const namespace = namespaceOf(object, scope, DEFAULT_NAMESPACE);
  return markedFor(of, {
    ...fields,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name: metadata.name,
      ...(namespace !== undefined && { namespace }),
      labels: metadata.labels ?? {},
      annotations: metadata.annotations ?? {},
      ...(metadata.finalizers !== undefined && { finalizers: metadata.finalizers }),
    },
  });
}

/** The object with the marks of this Manifest, in place of another's. */
export function markedFor({ metadata: of }: Marking, object: ApplicableObject): ApplicableObject {
  const { labels, annotations } = object.metadata;
  const marks = {
    labels: { [LABELS.managedBy]: MANAGED_BY, [COMPONENT]: of.name, [PART_OF]: "Kyma" },
    annotations: {
      [ANNOTATIONS.ownedBy]: `${of.namespace}/${of.name}`,
      [ANNOTATIONS.disclaimer]: DISCLAIMER,
    },
  };
  return {
    ...object,
    metadata: {
      ...object.metadata,
      labels: { ...labels, ...marks.labels },
      annotations: { ...annotations, ...marks.annotations },
    },
  };
}

/** The name of the Manifest that an object bears the marks of; undefined where it bears none. */
export const bringerOf = (object: {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
}): string | undefined =>
  object.metadata.labels[LABELS.managedBy] === MANAGED_BY ? object.metadata.labels[COMPONENT] : undefined;

/** The change that takes our marks off an object which stays without us. */
export const UNMARKED = {
  labels: { [LABELS.managedBy]: null, [LABELS.watchedBy]: null },
  annotations: { [ANNOTATIONS.disclaimer]: null },
} as const;

/** True where an object still bears a mark that a hand-over takes off. */
export const isMarked = ({
  metadata: { labels, annotations },
}: {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
}): boolean =>
  Object.keys(UNMARKED.labels).some((label) => label in labels) ||
  Object.keys(UNMARKED.annotations).some((annotation) => annotation in annotations);
