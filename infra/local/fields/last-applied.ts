import { jsonOf } from "../../../shared/json/parse.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { ApiObject } from "../resource-type.ts";
import type { FieldSet } from "./field-set.ts";
import type { MapShape } from "./shape.ts";
import { compare, fieldsOf, typedErrors } from "./typed.ts";

const ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
/** All annotations of an object together have at most so many bytes. */
const ANNOTATIONS_LIMIT = 256 * 1024;

/** True for the name under which an apply is taken for the next of a row that began on the client's side. */
export const handsOver = (fieldManager: string): boolean => fieldManager === "kubectl";

/**
 * The fields that `kubectl apply` wrote on the client's side and that still stand: its server-side apply may change them, whoever
 * is their manager. Undefined where there was no such apply.
 */
export function fieldsLastApplied(shape: MapShape, live: KubeObject): FieldSet | undefined {
  const text = live.metadata.annotations?.[ANNOTATION];
  if (text === undefined) return undefined;
  // Anybody may write annotations: one that is no JSON allows nothing, as on the real server.
  const applied = jsonOf(text);
  if (!isObject(applied) || typedErrors(shape, applied).length > 0) return undefined;
  const { added, modified, removed } = compare(shape, applied, live);
  return fieldsOf(shape, applied).difference(added.union(modified).union(removed));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

/** Writes the configuration into the annotation that a client-side apply compares with, where the object has one. In place. */
export function keepLastApplied(object: ApiObject, config: ApiObject): void {
  if (object.metadata.annotations?.[ANNOTATION] === undefined) return;
  const metadata: JsonObject = { ...config.metadata };
  if (isObject(metadata.annotations)) {
    const { [ANNOTATION]: _, ...others } = metadata.annotations;
    metadata.annotations = others;
  }
  const text = JSON.stringify(sorted({ ...config, metadata })).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const { [ANNOTATION]: _, ...others } = object.metadata.annotations;
  const size = [...Object.entries(others), [ANNOTATION, text] as const].reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  );
  object.metadata.annotations = size > ANNOTATIONS_LIMIT ? others : { ...others, [ANNOTATION]: `${text}\n` };
}
