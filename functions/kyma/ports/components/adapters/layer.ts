import { ArchiveError, filesOf, isTar, plainFile } from "../../../../../shared/archive/index.ts";
import { documentsOf } from "../../../../../shared/manifests/documents.ts";
import type { LayerSource } from "../contract.ts";
import type { Fault } from "./fault.ts";

/** The most bytes of an artifact. */
export const LAYER_BYTES = 16 * 2 ** 20;
const LIMITS = {
  fileBytes: LAYER_BYTES,
  totalBytes: LAYER_BYTES,
  files: 100,
  unpackedBytes: 2 * LAYER_BYTES,
};

/** Reads the documents of an artifact. It may be packed, and be a tar whatever it is said to be: no YAML looks like one. */
export async function documentsIn(
  layer: Uint8Array,
  type: LayerSource["type"],
): Promise<readonly unknown[] | Fault> {
  const content = await contentOf(layer, type);
  if ("fault" in content) return content;
  const text = textOf(content);
  if (text === undefined) return { fault: "it is no UTF-8 text" };
  const { documents, faults } = documentsOf(text);
  const [fault] = faults;
  return fault === undefined
    ? documents.map(({ value }) => value)
    : { fault: `its document ${fault.number} cannot be read: ${fault.message}` };
}

async function contentOf(layer: Uint8Array, type: LayerSource["type"]): Promise<Uint8Array | Fault> {
  try {
    if (type === "oci-dir") return await firstFile(layer);
    const file = await plainFile(layer, LAYER_BYTES);
    return isTar(file) ? await firstFile(file) : file;
  } catch (error) {
    if (error instanceof ArchiveError) return { fault: error.message };
    throw error;
  }
}

/** The first file of a tar that has the name of YAML, else the first, without those that macOS keeps attributes in. */
async function firstFile(layer: Uint8Array): Promise<Uint8Array | Fault> {
  const files = [...(await filesOf(layer, LIMITS))].filter(
    ([path]) => !path.split("/").at(-1)?.startsWith("._"),
  );
  // A text beside it may be read as YAML that holds nothing, and all objects of before would go.
  const [, content] = files.find(([path]) => /\.(ya?ml|json)$/i.test(path)) ?? files[0] ?? [];
  return content ?? { fault: "its tar holds no file" };
}

function textOf(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
