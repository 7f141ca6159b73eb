import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type * as z from "zod";
import { type Packing, packingOf } from "../../../archive/index.ts";
import { checked } from "../../../oci/checked.ts";
import {
  type Descriptor,
  DOCUMENT_BYTES,
  digestOf,
  indexSchema,
  isIndex,
  manifestSchema,
  REFERENCE_NAME,
} from "../../../oci/documents.ts";
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
  const blob = ({ digest }: Descriptor): string => join(directory, "blobs", digest.replace(":", "/"));
  const damaged = (digest: string, why: string): PayloadsError =>
    new PayloadsError("PAYLOAD_UNREADABLE", image, `blob ${digest} ${why}: copy the image again`);

  const documentOf = async <Schema extends z.ZodType>(
    schema: Schema,
    from: Descriptor,
  ): Promise<z.output<Schema>> => {
    if (from.size > DOCUMENT_BYTES) throw damaged(from.digest, `has ${from.size} bytes`);
    const content = await readFile(blob(from));
    if (digestOf(content) !== from.digest) throw damaged(from.digest, "is not what its digest says");
    return schema.parse(JSON.parse(content.toString("utf8")));
  };

  const chosen = async (candidate: Descriptor): Promise<Descriptor> => {
    if (!isIndex(candidate)) return candidate;
    const { manifests } = await documentOf(indexSchema, candidate);
    const one = manifests.find(
      ({ platform }) => platform?.os === "linux" && platform.architecture === architecture,
    );
    if (one !== undefined) return one;
    throw new PayloadsError("PAYLOAD_NOT_FOUND", image, `it is not built for ${architecture}`);
  };

  /** Finds the image by digest, at any depth, or by the name or tag under which it was copied. */
  const find = async (): Promise<Descriptor> => {
    const { manifests } = indexSchema.parse(
      JSON.parse(await readFile(join(directory, "index.json"), "utf8")),
    );
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
        const inner = isIndex(candidate) ? (await documentOf(indexSchema, candidate)).manifests : [];
        const found = inner.find((one) => one.digest === digest);
        if (found !== undefined) return found;
      }
    }
    throw new PayloadsError("PAYLOAD_NOT_FOUND", image, `the OCI layout does not hold it; copy it there`);
  };

  const read = async (layer: Descriptor, collector: Collector): Promise<void> => {
    const path = blob(layer);
    const { size } = await stat(path);
    if (size !== layer.size) throw damaged(layer.digest, `has ${size} bytes instead of ${layer.size}`);
    await collect(image, checked(createReadStream(path), layer), await packing(path), collector);
  };

  return {
    fingerprint: async () => (await find()).digest,
    files: async () => {
      const collector = new Collector(image, limits);
      for (const layer of (await documentOf(manifestSchema, await find())).layers)
        await read(layer, collector);
      return collector.files();
    },
  };
}

async function packing(path: string): Promise<Packing> {
  for await (const chunk of createReadStream(path, { end: 3 })) return packingOf(chunk as Uint8Array);
  return "none";
}
