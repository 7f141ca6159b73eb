import { hash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { isRecord } from "../../../../shared/json/fields.ts";
import { identityOfObject } from "../../../../shared/manifests/inventory.ts";
import { objectOf } from "../../../../shared/manifests/object-of.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import type { RenderedObject } from "../apply/index.ts";

/** The most bytes of one Secret: the API server takes no more than a mebibyte. */
const MOST_BYTES = 900_000;
/** The most that a rendering may unpack to: ten times the largest that is known. */
const MOST_UNPACKED = 64 * 1024 * 1024;
const KEY = "objects.json.gz";
const PARTS = "reveille.dev/parts";

/** A Secret that keeps a rendering, or a part of one. */
export interface KeptPart {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly data: Readonly<Record<string, string>>;
}
/** The part of a Secret that is read. */
export interface ReadPart {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>> | undefined;
}

/** The name of the Secret that keeps a part of what the stage of that number was rendered to. */
export const partName = (addon: string, stage: number, part: number): string =>
  `${addon}-rendered-${stage}${part === 0 ? "" : `-${part}`}`;

/** Packs what the chart of a stage was rendered to: it holds keys, so only Secrets may keep it. */
export function packedRendering(
  addon: string,
  stage: number,
  objects: readonly RenderedObject[],
  most = MOST_BYTES,
): { readonly rendered: string; readonly parts: readonly KeptPart[] } {
  const text = JSON.stringify(objects.map(({ object }) => object));
  const packed = gzipSync(text);
  const count = Math.max(1, Math.ceil(packed.length / most));
  const parts = Array.from({ length: count }, (_, part) => ({
    metadata: {
      name: partName(addon, stage, part),
      labels: { "reveille.dev/cluster-addon": addon.slice(0, 63).replace(/[^A-Za-z0-9]+$/, "") },
      annotations: { [PARTS]: String(count) },
    },
    data: { [KEY]: packed.subarray(part * most, (part + 1) * most).toString("base64") },
  }));
  return { rendered: digestOf(text), parts };
}

/**
 * Unpacks a rendering. Undefined where it is not there, or not the one of that name: then the chart is rendered anew.
 * @param read reads the Secret of a part
 */
export async function keptRendering(
  rendered: string,
  read: (part: number) => Promise<ReadPart | undefined>,
): Promise<readonly RenderedObject[] | undefined> {
  const first = await read(0);
  const count = first === undefined ? 0 : partsOf(first);
  if (first === undefined || count === 0) return undefined;
  const rest = await Promise.all(Array.from({ length: count - 1 }, (_, index) => read(index + 1)));
  const bytes = [first, ...rest].map((part) => Buffer.from(part?.data?.[KEY] ?? "", "base64"));
  const text = unpacked(Buffer.concat(bytes));
  if (text === undefined || digestOf(text) !== rendered) return undefined;
  const objects: unknown = JSON.parse(text);
  return Array.isArray(objects) ? objects.map(asRendered) : undefined;
}

/** The number of Secrets that keep a rendering, as the first of them says; 0 where it says none that can be. */
function partsOf({ metadata }: ReadPart): number {
  const count = Number(metadata.annotations[PARTS]);
  return Number.isInteger(count) && count >= 1 && count < 100 ? count : 0;
}

/**
 * Reads the Secrets that keep renderings which nobody asks for any more.
 * @param stages the stages by their numbers, each with the number of its parts that stay
 */
export async function droppedParts<Part extends ReadPart>(
  stages: readonly { readonly index: number; readonly kept: number }[],
  read: (stage: number, part: number) => Promise<Part | undefined>,
): Promise<readonly Part[]> {
  const found = stages.map(async ({ index, kept }) => {
    const first = await read(index, 0);
    const count = first === undefined ? 0 : Math.max(1, partsOf(first));
    const rest = Array.from({ length: Math.max(0, count - 1) }, (_, at) => at + 1).filter(
      (part) => part >= kept,
    );
    const others = await Promise.all(rest.map((part) => read(index, part)));
    return [kept === 0 ? first : undefined, ...others].filter((part) => part !== undefined);
  });
  return (await Promise.all(found)).flat();
}

/** Somebody may have changed a Secret: what is no gzip is no rendering. */
function unpacked(bytes: Uint8Array): string | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED }).toString("utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

const digestOf = (text: string): string => `sha256:${hash("sha256", text, "hex")}`;

/** The digest of the text was compared: these are the objects that were packed. */
function asRendered(object: unknown): RenderedObject {
  const known = objectOf(object);
  if (typeof known === "string" || !isRecord(object))
    throw new TypeError(`a rendering holds what is no object: ${typeof known === "string" ? known : ""}`);
  return { object: object as ApplicableObject, resource: { ...identityOfObject(known) } };
}

/** Names the values that a chart is rendered with. */
export const valuesDigest = (values: unknown): string => digestOf(JSON.stringify(values));
