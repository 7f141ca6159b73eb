import type { Clock } from "../../../../../shared/clock/clock.ts";
import { registryOf } from "../../../../../shared/oci/configured.ts";
import type { RegistryClient } from "../../../../../shared/oci/index.ts";
import type { RepositorySettings } from "../../../../../shared/oci/settings.ts";
import type { Fetch } from "../../../../../shared/requests/exchange.ts";
import { type ComponentBlobs, componentPath, type Place } from "./blobs.ts";

/** The components of a registry: `<repository>/component-descriptors/<component>:<version>`, as OCM has them. */
export function registryBlobs(
  settings: RepositorySettings,
  outside: { readonly clock?: Clock; readonly fetch?: Fetch } = {},
): ComponentBlobs {
  const { repository } = settings;
  const [host = ""] = repository.split("/");
  const of = (place: Place): RegistryClient => {
    const path =
      "component" in place
        ? `${repository}/${componentPath(place.component)}`
        : `${host}/${place.repository}`;
    return registryOf({ ...settings, repository: path }, outside);
  };
  return {
    repo: repository,
    host,
    document: (place, reference) => of(place).document(reference),
    blob: (place, digest, limits) => of(place).blobBytes({ digest }, limits),
  };
}
