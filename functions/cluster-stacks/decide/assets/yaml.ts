import type * as z from "zod";
import { documentsOf } from "../../../../shared/manifests/documents.ts";
import type { AssetFault } from "./fault.ts";

/** The content of a file, or why it holds nothing that can be used. */
export type Read<Value> =
  | { readonly value: Value; readonly faults?: never }
  | { readonly value?: never; readonly faults: readonly AssetFault[] };

/** Reads the one document of a YAML file. */
export function yamlOf(file: string, content: Uint8Array): Read<unknown> {
  const { documents, faults } = documentsOf(new TextDecoder().decode(content));
  const [fault] = faults;
  const [document] = documents;
  if (fault !== undefined) return { faults: [{ file, message: fault.message }] };
  if (document === undefined) return { faults: [{ file, message: "it is empty" }] };
  if (documents.length > 1) return { faults: [{ file, message: "it holds more than one document" }] };
  return { value: document.value };
}

type Issue = z.core.$ZodIssue;
const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
const WORDS: Readonly<Record<string, string>> = { string: "a text", object: "a map", array: "a list" };

/** The sentence of an issue that zod found; a schema's own sentence stays. */
function sentenceOf(issue: Issue): string {
  if (issue.code === "unrecognized_keys") return `it has no such field: ${issue.keys.join(", ")}`;
  const isJudged = issue.code === "invalid_type" || issue.code === "invalid_value";
  if (isJudged && (issue.input === undefined || issue.input === null)) return "it is missing";
  if (issue.code === "invalid_type") return `it is not ${WORDS[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value")
    return `it is ${JSON.stringify(issue.input)}, not one of ${issue.values.join(", ")}`;
  return issue.message;
}

/** Judges a value by a schema; every fault has its place. */
export function judged<S extends z.ZodType>(
  schema: S,
  value: unknown,
  place: Pick<AssetFault, "file" | "stage">,
): Read<z.output<S>> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return { value: result.data };
  return {
    faults: result.error.issues.map((issue) => ({
      ...place,
      field: pathText(issue.path),
      message: sentenceOf(issue),
    })),
  };
}
