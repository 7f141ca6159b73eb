import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type * as z from "zod";
import { messageOf } from "../errors.ts";
import { fieldOf, fieldsOf } from "../json/fields.ts";
import { jsonOf } from "../json/parse.ts";
import { checked } from "./checked.ts";
import {
  type Descriptor,
  DOCUMENT_BYTES,
  descriptorSchema,
  type ManifestOrIndex,
  manifestOrIndex,
  mediaTypeIn,
} from "./documents.ts";
import { OciError } from "./errors.ts";
import { isDigest } from "./names.ts";

/** A blob that is wanted. Its size is checked where it is known. */
type Wanted = Pick<Descriptor, "digest"> & { readonly size?: number | undefined };

/** Some tools write a field that they leave out as null. */
const withoutNulls = (entry: unknown): object =>
  Object.fromEntries(Object.entries(fieldsOf(entry)).filter(([, value]) => value !== null));

/** An OCI layout on disk, as `skopeo copy docker://… oci:<directory>` writes it. Whatever it gives is checked by its digest. */
export class OciLayout {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The manifests and indexes that its index names. @throws OciError */
  async manifests(): Promise<readonly Descriptor[]> {
    const path = join(this.#directory, "index.json");
    const text = await readFile(path, "utf8").catch((cause: unknown) => {
      throw new OciError("OCI_UNAVAILABLE", `${path} cannot be read (${messageOf(cause)})`, { cause });
    });
    const entries = fieldOf(jsonOf(text.replace(/^\uFEFF/, "")), "manifests");
    if (!Array.isArray(entries))
      throw new OciError(
        "OCI_ANSWER_INVALID",
        `${path} is no index of an OCI layout: it has no list of manifests`,
      );
    // Entries of other tools are none of ours: one that cannot be read takes none of the others away.
    return entries.flatMap((entry) => descriptorSchema.safeParse(withoutNulls(entry)).data ?? []);
  }

  /** A manifest or index by its schema. @throws OciError */
  async document<Schema extends z.ZodType>(schema: Schema, from: Wanted): Promise<z.output<Schema>> {
    const content = await this.bytes(from, { maximumBytes: DOCUMENT_BYTES });
    const { data, error } = schema.safeParse(jsonOf(Buffer.from(content).toString("utf8")));
    if (data === undefined)
      throw new OciError("OCI_ANSWER_INVALID", `blob ${from.digest} is not what it is said to be`, {
        cause: error,
      });
    return data;
  }

  /** The manifest or index of a descriptor, or of a digest. @throws OciError */
  async manifestOrIndex(from: Wanted & Pick<Descriptor, "mediaType">): Promise<ManifestOrIndex> {
    const content = await this.bytes(from, { maximumBytes: DOCUMENT_BYTES });
    const json = jsonOf(Buffer.from(content).toString("utf8"));
    return manifestOrIndex(json, {
      mediaType: mediaTypeIn(json) ?? from.mediaType,
      place: this.#place(from),
    });
  }

  /** The content of a blob, whole. @throws OciError */
  async bytes(wanted: Wanted, { maximumBytes }: { readonly maximumBytes: number }): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of this.pieces(wanted)) {
      bytes += piece.byteLength;
      if (bytes > maximumBytes)
        throw new OciError("OCI_TOO_LARGE", `${this.#place(wanted)}: it has more than ${maximumBytes} bytes`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  /** The content of a blob, piece by piece: nothing may be made of it before its end. @throws OciError */
  async *pieces(wanted: Wanted): AsyncGenerator<Uint8Array> {
    const { digest } = wanted;
    if (!isDigest(digest)) throw new OciError("OCI_NOT_FOUND", `${this.#place(wanted)}: it is no digest`);
    try {
      yield* checked(createReadStream(this.#path(digest)), wanted);
    } catch (error) {
      if (error instanceof OciError) throw error;
      const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
      throw new OciError(
        isMissing ? "OCI_NOT_FOUND" : "OCI_UNAVAILABLE",
        `${this.#place(wanted)}: ${isMissing ? "it is not there" : messageOf(error)}`,
        { cause: error },
      );
    }
  }

  #place({ digest }: Wanted): string {
    return `blob ${digest} of ${this.#directory}`;
  }

  #path(digest: string): string {
    return join(this.#directory, "blobs", digest.replace(":", "/"));
  }
}
