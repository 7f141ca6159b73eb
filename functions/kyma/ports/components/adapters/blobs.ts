import type { ManifestOrIndex } from "../../../../../shared/oci/index.ts";

/** A repository: that of a component, or another one beside all of them, by its path on their host. */
export type Place = { readonly component: string } | { readonly repository: string };

/** The place of components: a repository of OCM, of which each component is a repository of its own. */
export interface ComponentBlobs {
  /** The repository as Manifests name it. */
  readonly repo: string;
  /** The host of its registry. Absent where there is none. */
  readonly host?: string;
  /** The manifest or index of a tag or digest. @throws OciError `OCI_NOT_FOUND` where there is none. */
  document(place: Place, reference: string): Promise<ManifestOrIndex>;
  /** The content of a blob, checked by its digest. @throws OciError */
  blob(place: Place, digest: string, limits: { readonly maximumBytes: number }): Promise<Uint8Array>;
}

/** The repository of a component within that of all. */
export const componentPath = (name: string): string => `component-descriptors/${name}`;
