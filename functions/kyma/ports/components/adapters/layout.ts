import { manifestSchema, REFERENCE_NAME } from "../../../../../shared/oci/documents.ts";
import { OciError, OciLayout } from "../../../../../shared/oci/index.ts";
import { type ComponentBlobs, componentPath } from "./blobs.ts";

/**
 * The components of an OCI layout on disk. Its index names each as `<component>:<version>`, or with `component-descriptors/` in front
 * as registries have it.
 */
export function layoutBlobs(folder: string): ComponentBlobs {
  const layout = new OciLayout(folder);
  return {
    repo: "layout",
    manifest: async (name, version) => {
      const names = [`${componentPath(name)}:${version}`, `${name}:${version}`];
      const found = (await layout.manifests()).find(({ annotations }) =>
        names.includes(annotations?.[REFERENCE_NAME] ?? ""),
      );
      if (found !== undefined) return layout.document(manifestSchema, found);
      throw new OciError("OCI_NOT_FOUND", `the OCI layout in ${folder} does not hold it: copy it there`);
    },
    blob: (_, digest, limits) => layout.bytes({ digest }, limits),
  };
}
