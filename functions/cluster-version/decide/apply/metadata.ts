import type { KubeObject, RawMetadata } from "../../../../shared/kube/object.ts";
import { ownersOf } from "./owners.ts";
import type { ApplyContext } from "./verdict.ts";

type Texts = Readonly<Record<string, string>>;

/** Kubernetes' own controllers keep their books in these: they are never the manifest's to take away. */
const isPlatforms = (key: string): boolean => /^([^/]+\.)?(kubernetes|k8s)\.io\//.test(key);

const unlessEmpty = <T extends object>(value: T): T | undefined =>
  Object.keys(value).length === 0 ? undefined : value;

/**
 * A map that has become empty is written as empty, lest it be taken for one that nobody speaks of; one that never was stays away.
 */
const emptied = <T extends object>(value: T, there: T | undefined): T | undefined =>
  there === undefined ? unlessEmpty(value) : value;

/** The manifest's win, the others stay. */
const added = (wanted: Texts, there: Texts): Texts => ({ ...there, ...wanted });
/** The manifest's alone. */
const exact = (wanted: Texts, there: Texts): Texts => ({
  ...Object.fromEntries(Object.entries(there).filter(([key]) => isPlatforms(key))),
  ...wanted,
});

/** Metadata as it is compared: empty maps and lists are absent, and who manages which field does not count. */
export const comparable = ({ managedFields: _managedFields, ...metadata }: RawMetadata): RawMetadata => ({
  ...metadata,
  labels: unlessEmpty(metadata.labels ?? {}),
  annotations: unlessEmpty(metadata.annotations ?? {}),
  ownerReferences: unlessEmpty(metadata.ownerReferences ?? []),
});

/** Metadata of an object that is made from a manifest. */
export function newMetadata(manifest: KubeObject, context: ApplyContext): RawMetadata {
  const { name, namespace, labels = {}, annotations = {}, finalizers = [] } = manifest.metadata;
  return {
    name,
    namespace,
    labels: unlessEmpty(labels ?? {}),
    annotations: unlessEmpty(annotations ?? {}),
    finalizers: unlessEmpty(finalizers ?? []),
    ownerReferences: unlessEmpty(ownersOf(manifest, undefined, context.owner)),
  };
}

/**
 * Metadata as it shall be. `others` says what becomes of labels and annotations that the manifest does not list. All that the server
 * or others keep there stays, finalizers included.
 */
export function mergedMetadata(
  manifest: KubeObject,
  live: KubeObject,
  context: ApplyContext,
  others: "stay" | "go",
): RawMetadata {
  const { managedFields: _managedFields, ...there } = live.metadata;
  const texts = others === "stay" ? added : exact;
  const { labels, annotations, ownerReferences } = there;
  return {
    ...there,
    labels: emptied(texts(manifest.metadata.labels ?? {}, labels ?? {}), labels),
    annotations: emptied(texts(manifest.metadata.annotations ?? {}, annotations ?? {}), annotations),
    ownerReferences: emptied(ownersOf(manifest, live, context.owner), ownerReferences),
  };
}
