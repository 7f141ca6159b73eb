import type { Clock } from "../../../../../shared/clock/clock.ts";
import { registryOf } from "../../../../../shared/oci/configured.ts";
import { OciError, type RegistryClient } from "../../../../../shared/oci/index.ts";
import type { RepositorySettings } from "../../../../../shared/oci/settings.ts";
import type { Fetch } from "../../../../../shared/requests/exchange.ts";
import { type ComponentBlobs, componentPath } from "./blobs.ts";

/** The components of a registry: `<repository>/component-descriptors/<component>:<version>`, as OCM has them. */
export function registryBlobs(
  settings: RepositorySettings,
  outside: { readonly clock?: Clock; readonly fetch?: Fetch } = {},
): ComponentBlobs {
  const { repository } = settings;
  const of = (name: string): RegistryClient =>
    registryOf({ ...settings, repository: `${repository}/${componentPath(name)}` }, outside);
  return {
    repo: repository,
    manifest: async (name, version) => {
      const document = await of(name).document(version);
      if (document.kind === "manifest") return document.content;
      throw new OciError("OCI_NOT_FOUND", `${name}:${version} is an index of images, and no component`);
    },
    blob: (name, digest, limits) => of(name).blobBytes({ digest }, limits),
  };
}
