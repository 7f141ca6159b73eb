import { type Descriptor, isIndex, type Manifest } from "../../../../../shared/oci/index.ts";
import type { ComponentBlobs, Place } from "./blobs.ts";
import type { Fault } from "./fault.ts";

/** The mark of the manifest with the descriptor in the index of a component. */
export const DESCRIPTOR_MARK = "software.ocm.descriptor";
/** Indexes that are followed, one within the other. */
const MOST_INDEXES = 3;

/**
 * The manifest that a tag or digest leads to. Of an index the one that is marked as a component's descriptor counts, or the first where none is,
 * as OCM has it. @throws OciError
 */
export async function followed(
  blobs: ComponentBlobs,
  place: Place,
  reference: string,
): Promise<{ readonly manifest: Manifest } | Fault> {
  let at = reference;
  for (let depth = 0; depth <= MOST_INDEXES; depth++) {
    const document = await blobs.document(place, at);
    if (document.kind === "manifest") return { manifest: document.content };
    const next = chosen(document.content.manifests);
    if (typeof next !== "string") return next;
    at = next;
  }
  return { fault: `it is an index within more than ${MOST_INDEXES} others` };
}

function chosen(manifests: readonly Descriptor[]): string | Fault {
  const marked = manifests.filter(({ annotations }) => annotations?.[DESCRIPTOR_MARK] === "true");
  if (marked.length > 1)
    return { fault: `its index marks ${marked.length} manifests with ${DESCRIPTOR_MARK}: one is wanted` };
  return marked[0]?.digest ?? manifests[0]?.digest ?? { fault: "its index names no manifest" };
}

/** True for the media type of a manifest or an index: its content is not the objects, but names them. */
export const isDocument = (mediaType: string): boolean =>
  isIndex({ mediaType }) || /(oci\.image|docker\.distribution)\.manifest\.v\d\+json$/.test(mediaType);
