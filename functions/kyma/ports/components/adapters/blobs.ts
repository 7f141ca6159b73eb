import type { Manifest } from "../../../../../shared/oci/index.ts";

/** The place of components: a repository of OCM, of which each component is a repository of its own. */
export interface ComponentBlobs {
  /** The repository as Manifests name it. */
  readonly repo: string;
  /** The OCI manifest of a component's version. @throws OciError `OCI_NOT_FOUND` where there is none. */
  manifest(name: string, version: string): Promise<Manifest>;
  /** The content of a blob of a component, checked by its digest. @throws OciError */
  blob(name: string, digest: string, limits: { readonly maximumBytes: number }): Promise<Uint8Array>;
}

/** The repository of a component within that of all. */
export const componentPath = (name: string): string => `component-descriptors/${name}`;
