import { parse as parseYaml, YAMLParseError } from "yaml";
import { badRequest, noProtobuf, unsupportedMediaType } from "../api-error.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { ApiObject, DecodeProtobuf } from "../resource-type.ts";
import { goJsonError } from "./go-json.ts";

const accepted = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];

/** `application/json; charset=utf-8` → `application/json`. */
export const mediaType = (header: string | undefined): string =>
  (header ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

/** The object in the body of a write. Throws a 400 or 415. */
export function decodeObject(
  body: Uint8Array,
  contentType: string,
  kind: string,
  protobuf: DecodeProtobuf | undefined,
): ApiObject {
  if (contentType === "application/vnd.kubernetes.protobuf") {
    const object = protobuf?.(body);
    if (object === undefined) throw noProtobuf(kind);
    return object;
  }
  if (contentType !== "" && contentType !== "application/json" && contentType !== "application/yaml")
    throw unsupportedMediaType(accepted);
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const wrong = (why: string): Error =>
    badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${text})`);
  let object: unknown;
  try {
    object = contentType === "application/yaml" ? parseYaml(text) : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw wrong(`couldn't get version/kind; json parse error: ${goJsonError(text, error)}`);
    if (error instanceof YAMLParseError)
      throw wrong(`couldn't get version/kind; yaml parse error: ${error.message.split("\n")[0]}`);
    throw error;
  }
  if (!isObject(object)) throw wrong("couldn't get version/kind; json parse error: the body is no object");
  return object as ApiObject;
}

/** The body of a delete, which may be empty. Throws a 400 or 415. */
export function decodeDeleteOptions(
  body: Uint8Array,
  contentType: string,
  protobuf: DecodeProtobuf | undefined,
): JsonObject {
  if (body.byteLength === 0) return {};
  if (contentType === "application/vnd.kubernetes.protobuf")
    return decodeObject(body, contentType, "DeleteOptions", protobuf);
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  if (text.trim() === "") return {};
  const wrong = (why: string): Error => badRequest(`couldn't get version/kind; json parse error: ${why}`);
  let options: unknown;
  try {
    options = contentType === "application/yaml" ? parseYaml(text) : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw wrong(goJsonError(text, error));
    if (error instanceof YAMLParseError) throw wrong(error.message.split("\n")[0] ?? "");
    throw error;
  }
  if (!isObject(options)) throw wrong("the body is no object");
  return options;
}
