import { ArchiveError, filesOf, isTar, plainFile } from "../../../../../shared/archive/index.ts";
import { documentsOf } from "../../../../../shared/manifests/documents.ts";
import type { Layer, LayerSource } from "../contract.ts";
import type { Fault } from "./fault.ts";

/** The most bytes of an artifact. */
export const LAYER_BYTES = 16 * 2 ** 20;
const LIMITS = {
  fileBytes: LAYER_BYTES,
  totalBytes: LAYER_BYTES,
  files: 100,
  unpackedBytes: 2 * LAYER_BYTES,
};

/** The documents of an artifact, and what in it does not count. */
type ReadLayer = Pick<Extract<Layer, { state: "read" }>, "documents" | "passedOver" | "doubledKeys">;
interface LayerFile {
  readonly content: Uint8Array;
  readonly passedOver?: readonly string[];
}

/** Reads the documents of an artifact. It may be packed, and be a tar whatever it is said to be: no YAML looks like one. */
export async function documentsIn(layer: Uint8Array, type: LayerSource["type"]): Promise<ReadLayer | Fault> {
  const file = await fileIn(layer, type);
  if ("fault" in file) return file;
  const { content, ...more } = file;
  const text = textOf(content);
  if (text === undefined)
    return { fault: "it is no UTF-8 text: publish YAML, or a tar of it, plain or packed by gzip or zstd" };
  const { documents, faults } = documentsOf(text, { doubled: true });
  const [fault] = faults;
  const doubledKeys = documents.flatMap(({ number, doubled = [] }) =>
    doubled.map((path) => `document ${number}: ${path}`),
  );
  return fault === undefined
    ? {
        documents: documents.map(({ value }) => value),
        ...more,
        ...(doubledKeys.length > 0 && { doubledKeys }),
      }
    : { fault: `its document ${fault.number} cannot be read: ${fault.message}` };
}

async function fileIn(layer: Uint8Array, type: LayerSource["type"]): Promise<LayerFile | Fault> {
  try {
    const content = await plainFile(layer, LIMITS.unpackedBytes);
    if (isTar(content)) return await firstFile(content);
    if (type === "oci-dir" || isEmptyTar(content))
      return { fault: "it is no tar, or an empty one: publish a tar with one file of YAML" };
    return content.byteLength > LAYER_BYTES
      ? { fault: `it unpacks to more than ${LAYER_BYTES} bytes` }
      : { content };
  } catch (error) {
    if (error instanceof ArchiveError) return { fault: error.message };
    throw error;
  }
}

/** True for zeros alone: the end of a tar that has nothing before it. */
const isEmptyTar = (content: Uint8Array): boolean =>
  content.byteLength > 0 && content.every((byte) => byte === 0);

/** The first file of a tar that has the name of YAML, else the first, without those that macOS keeps attributes in. */
async function firstFile(layer: Uint8Array): Promise<LayerFile | Fault> {
  const files = [...(await filesOf(layer, LIMITS))].filter(
    ([path]) => !path.split("/").at(-1)?.startsWith("._"),
  );
  // A text beside it may be read as YAML that holds nothing, and all objects of before would go.
  const [first, ...others] = files.filter(([path]) => /\.(ya?ml|json)$/i.test(path));
  const [, content] = first ?? files[0] ?? [];
  if (content === undefined) return { fault: "its tar holds no file" };
  return others.length === 0 ? { content } : { content, passedOver: others.map(([path]) => path) };
}

function textOf(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
