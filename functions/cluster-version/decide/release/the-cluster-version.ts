/** Upstream honours only this one; any other is left alone. */
export const CLUSTER_VERSION = "version";

export const isTheClusterVersion = ({
  metadata,
}: {
  readonly metadata: { readonly name: string };
}): boolean => metadata.name === CLUSTER_VERSION;
