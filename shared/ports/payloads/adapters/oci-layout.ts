import { join } from "node:path";
import { type Packing, packingOf } from "../../../archive/index.ts";
import {
  type Descriptor,
  indexSchema,
  isIndex,
  manifestSchema,
  REFERENCE_NAME,
} from "../../../oci/documents.ts";
import { OciLayout } from "../../../oci/layout.ts";
import { PayloadsError } from "../errors.ts";
import { collect } from "./archive.ts";
import { Collector, type PayloadLimits } from "./collector.ts";
import { exists, type PayloadSource } from "./source.ts";

/** The architecture that is read of an image for several, in the words of Go. */
export const machine = process.arch === "x64" ? "amd64" : process.arch;

/** An image in an OCI layout on disk, as `skopeo copy docker://… oci:<directory>` writes it. */
export const isLayout = (directory: string): Promise<boolean> => exists(join(directory, "oci-layout"));

/** A payload in an OCI layout. Every blob is checked against its digest. */
export function layoutSource(
  image: string,
  directory: string,
  limits: PayloadLimits,
  architecture = machine,
): PayloadSource {
  const layout = new OciLayout(directory);

  const chosen = async (candidate: Descriptor): Promise<Descriptor> => {
    if (!isIndex(candidate)) return candidate;
    const { manifests } = await layout.document(indexSchema, candidate);
    const one = manifests.find(
      ({ platform }) => platform?.os === "linux" && platform.architecture === architecture,
    );
    if (one !== undefined) return one;
    throw new PayloadsError("PAYLOAD_NOT_FOUND", image, `it is not built for ${architecture}`);
  };

  /** Finds the image by digest, at any depth, or by the name or tag under which it was copied. */
  const find = async (): Promise<Descriptor> => {
    const manifests = await layout.manifests();
    const [, digest] = /@(sha256:[0-9a-f]{64})$/.exec(image) ?? [];
    const [, tag] = /:([^/:@]+)$/.exec(image) ?? [];
    if (digest === undefined) {
      const named = manifests.find(({ annotations }) => {
        const name = annotations?.[REFERENCE_NAME];
        return name !== undefined && (name === image || name === tag);
      });
      if (named !== undefined) return chosen(named);
    } else {
      for (const candidate of manifests) {
        if (candidate.digest === digest) return chosen(candidate);
        const inner = isIndex(candidate) ? (await layout.document(indexSchema, candidate)).manifests : [];
        const found = inner.find((one) => one.digest === digest);
        if (found !== undefined) return found;
      }
    }
    throw new PayloadsError("PAYLOAD_NOT_FOUND", image, `the OCI layout does not hold it; copy it there`);
  };

  return {
    fingerprint: async () => (await find()).digest,
    files: async () => {
      const collector = new Collector(image, limits);
      for (const layer of (await layout.document(manifestSchema, await find())).layers) {
        const { packing, pieces } = await sniffed(layout.pieces(layer));
        await collect(image, pieces, packing, collector);
      }
      return collector.files();
    },
  };
}

/** The same pieces, and how they are packed, as the first of them tells. */
async function sniffed(
  pieces: AsyncGenerator<Uint8Array>,
): Promise<{ readonly packing: Packing; readonly pieces: AsyncIterable<Uint8Array> }> {
  const first = await pieces.next();
  const all = async function* (): AsyncGenerator<Uint8Array> {
    if (first.done !== true) yield first.value;
    yield* pieces;
  };
  return { packing: first.done === true ? "none" : packingOf(first.value), pieces: all() };
}
