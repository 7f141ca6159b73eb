import { createHash } from "node:crypto";
import { FunctionFault } from "../errors.ts";
import type { Call, Functions, TemplateFunction } from "../function.ts";
import { fromJson, type JsonOptions, toJson } from "../json.ts";
import type { Value } from "../values.ts";
import { fromBase32, fromBase64, toBase32 } from "./base.ts";
import { fixed, onText } from "./define.ts";

const bufferOf = (bytes: string): Buffer => Buffer.from(bytes, "latin1");
const digest = (algorithm: "sha1" | "sha256" | "sha512"): TemplateFunction =>
  onText((text) => createHash(algorithm).update(bufferOf(text)).digest("hex"));

function adler32(text: string): string {
  let [one, two] = [1, 0];
  for (let at = 0; at < text.length; at += 1) {
    one = (one + text.charCodeAt(at)) % 65521;
    two = (two + one) % 65521;
  }
  return String(two * 65536 + one);
}

const HTML: JsonOptions = { escapesHtml: true };
const PRETTY: JsonOptions = { escapesHtml: true, indent: "  " };
const RAW: JsonOptions = { escapesHtml: false };

/** JSON, or nothing where there is none and the name begins without `must`. */
function quietly<T>(otherwise: T, compute: () => T): T {
  try {
    return compute();
  } catch (fault) {
    if (fault instanceof FunctionFault) return otherwise;
    throw fault;
  }
}
const json = (options: JsonOptions): TemplateFunction =>
  fixed(["interface {}"], ([value], { budget }) => toJson(value, options, budget));
const quietJson = (options: JsonOptions): TemplateFunction =>
  fixed(["interface {}"], ([value], { budget }) => quietly("", () => toJson(value, options, budget)));
const parsed = ([text]: readonly [string], { budget }: Call): Value => fromJson(text, budget);

/** Functions that encode, decode and hash. */
export const encoding: Functions = {
  b64enc: onText((text) => bufferOf(text).toString("base64")),
  b64dec: onText(fromBase64),
  b32enc: onText(toBase32),
  b32dec: onText(fromBase32),
  sha1sum: digest("sha1"),
  sha256sum: digest("sha256"),
  sha512sum: digest("sha512"),
  adler32sum: onText(adler32),
  fromJson: fixed(["string"], (values, call) => quietly<Value>(null, () => parsed(values, call))),
  mustFromJson: fixed(["string"], parsed),
  toJson: quietJson(HTML),
  mustToJson: json(HTML),
  toPrettyJson: quietJson(PRETTY),
  mustToPrettyJson: json(PRETTY),
  toRawJson: json(RAW),
  mustToRawJson: json(RAW),
};
