import { parse } from "yaml";
import type { Functions } from "../../shared/templates/index.ts";
import {
  bytesOf,
  type Data,
  List,
  TemplateError,
  Templates,
  textMap,
  toValue,
} from "../../shared/templates/index.ts";
import { sprig } from "../../shared/templates/sprig.ts";
import { toYamlSigs, toYamlV2 } from "../../shared/templates/yaml.ts";
import type { Answer, Question, YamlLibrary } from "./oracle.ts";

/** Sprig's functions with the `toYaml` of a library. */
export const functionsWith = (library: YamlLibrary): Functions => ({
  ...sprig,
  toYaml: library === "v2" ? toYamlV2 : toYamlSigs,
});

/** What a template sees of a parameter: only arrays and maps are more than text. */
function decoded({ type, value }: { readonly type: string; readonly value: string }): Data {
  if (type !== "array" && type !== "map") return value;
  const data = parse(value, { version: "1.1" }) as Data;
  return type === "array" && (data === null || data === undefined)
    ? new List([], "interface {}", true)
    : toValue(data);
}

/** Our answer to the oracle's question. */
export function answer(question: Question, functions: Functions): Answer {
  const { id, name, template, vars = {}, params, pipes } = question;
  const data: Record<string, Data> = { ...(vars as Record<string, Data>) };
  if (pipes !== undefined) data.Pipes = textMap(pipes);
  if (params !== undefined)
    data.Params = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, decoded(value)]));
  try {
    const bytes = new Templates({ functions }).parse(name, template).executeToBytes(name, data);
    return { id, output: Buffer.from(bytes, "latin1").toString("base64") };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return {
      id,
      class: error.class,
      error: error.message,
      ...(error.line !== undefined && { line: error.line }),
    };
  }
}

/** Go's answer in the same form: output as base64 of its bytes. */
export const inBytes = (theirs: Answer): Answer => {
  const { output, base64, ...rest } = theirs;
  if (output === undefined) return rest;
  return { id: theirs.id, output: base64 ?? Buffer.from(bytesOf(output), "latin1").toString("base64") };
};

/** The difference between two answers; undefined where they say the same: bytes, or class and line. */
export function difference(ours: Answer, theirs: Answer): string | undefined {
  const expected = inBytes(theirs);
  const same =
    ours.output === expected.output &&
    ours.class === expected.class &&
    // Where Go names no line, none is compared.
    (expected.line === undefined || expected.line === ours.line);
  if (same) return undefined;
  const shown = ({ output, ...rest }: Answer): string =>
    JSON.stringify(output === undefined ? rest : Buffer.from(output, "base64").toString("latin1"));
  return `ours:   ${shown(ours)}\ntheirs: ${shown(expected)}`;
}
