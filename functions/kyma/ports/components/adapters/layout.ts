import { REFERENCE_NAME } from "../../../../../shared/oci/documents.ts";
import { OciError, OciLayout } from "../../../../../shared/oci/index.ts";
import { isDigest } from "../../../../../shared/oci/names.ts";
import { type ComponentBlobs, componentPath, type Place } from "./blobs.ts";

/**
 * The components of an OCI layout on disk. Its index names each as `<component>:<version>`, or with `component-descriptors/` in front
 * as registries have it; what lies beside components as `<repository>:<tag>`.
 */
export function layoutBlobs(folder: string): ComponentBlobs {
  const layout = new OciLayout(folder);
  return {
    repo: "layout",
    document: async (place, reference) => {
      if (isDigest(reference)) return layout.manifestOrIndex({ digest: reference });
      const names = pathsOf(place).map((path) => `${path}:${reference}`);
      const found = (await layout.manifests()).find(({ annotations }) =>
        names.includes(annotations?.[REFERENCE_NAME] ?? ""),
      );
      if (found !== undefined) return layout.manifestOrIndex(found);
      throw new OciError(
        "OCI_NOT_FOUND",
        `the OCI layout in ${folder} holds no ${names.at(-1)}: copy it there`,
      );
    },
    blob: (_, digest, limits) => layout.bytes({ digest }, limits),
  };
}

const pathsOf = (place: Place): readonly string[] =>
  "component" in place ? [componentPath(place.component), place.component] : [place.repository];
