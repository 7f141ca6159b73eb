import type { LayerSource } from "../contract.ts";
import type { ComponentBlobs } from "./blobs.ts";
import type { Fault } from "./fault.ts";
import { followed, isDocument } from "./followed.ts";

/** The way to an artifact, as a descriptor has it. */
export type ArtifactAccess =
  | { readonly sort: "blob"; readonly ref: string; readonly mediaType: string }
  /** An artifact in the registry of its component, as `path:tag`, `path@digest` or both. */
  | { readonly sort: "relative"; readonly reference: string };

/** Finds the layer with the objects of a component: where its artifact is one of OCI, by way of that. @throws OciError */
export async function sourceOf(
  blobs: ComponentBlobs,
  name: string,
  access: ArtifactAccess,
): Promise<LayerSource | Fault> {
  const { repo } = blobs;
  if (access.sort === "blob" && !isDocument(access.mediaType))
    return { type: typeOf(access.mediaType), repo, name, ref: access.ref };
  const { repository, ref } =
    access.sort === "relative" ? partsOf(access.reference) : { ...access, repository: undefined };
  if (ref === undefined)
    return { fault: "its artifact is at a path without tag and digest: write path:tag or path@digest" };
  const place = repository === undefined ? { component: name } : { repository };
  const found = await followed(blobs, place, ref);
  if ("fault" in found) return { fault: `its artifact ${ref}: ${found.fault}` };
  const { layers } = found.manifest;
  const [layer] = layers;
  if (layer === undefined || layers.length > 1)
    return {
      fault: `its artifact ${ref} has ${layers.length} layers: publish the objects as the only one`,
    };
  const { mediaType = "", digest } = layer;
  const elsewhere = repository === undefined ? {} : { repository };
  return { type: typeOf(mediaType), repo, name, ref: digest, ...elsewhere };
}

const typeOf = (mediaType: string): LayerSource["type"] =>
  mediaType === "application/x-tar" ? "oci-dir" : "oci-ref";

const REFERENCE = /^(?<repository>[^:@]+)(?::(?<tag>[^:@]+))?(?:@(?<digest>[^@]+))?$/;

/** The repository of a reference, and what it names there: the digest counts before the tag. */
function partsOf(reference: string): { readonly repository: string; readonly ref: string | undefined } {
  const { repository = "", tag, digest } = REFERENCE.exec(reference)?.groups ?? {};
  return { repository, ref: digest ?? tag };
}
