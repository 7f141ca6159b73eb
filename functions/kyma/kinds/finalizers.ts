import { GROUP } from "./labels.ts";

/** The finalizer of a Kyma. */
export const KYMA_FINALIZER = `${GROUP}/Kyma`;
/** The finalizer that we put on a Manifest. */
export const MANIFEST_FINALIZER = "declarative.kyma-project.io/finalizer";
/** The finalizers that upstream's operator puts on a Manifest beside that: for the marks on its objects, and for its default configuration object. */
export const FORMER_MANIFEST_FINALIZERS: readonly string[] = [
  "label-removal-finalizer",
  "resource.kyma-project.io/finalizer",
];

/** The finalizers of others, which keep an object once ours are off; undefined: there are none. */
export function othersOn(
  { metadata }: { readonly metadata: { readonly finalizers: readonly string[] } },
  ours: readonly string[],
): string | undefined {
  const others = metadata.finalizers.filter((name) => !ours.includes(name));
  return others.length === 0 ? undefined : others.join(", ");
}
