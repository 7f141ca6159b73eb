import { badRequest, noProtobuf } from "../api-error.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { ApiRequest } from "../resource-type.ts";
import { headerOf } from "./answer.ts";
import { decodeProtobuf } from "./protobuf/decode.ts";

/** The object that was posted, in JSON or protobuf. Throws a 400 or 415. */
export function objectOf(request: ApiRequest): JsonObject {
  if (headerOf(request, "content-type").startsWith("application/vnd.kubernetes.protobuf")) {
    const object = decodeProtobuf(request.body);
    if (object === undefined) throw noProtobuf("this kind");
    return object;
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(request.body));
  } catch (error) {
    throw badRequest(`the body is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(parsed)) throw badRequest("the body is no object");
  return parsed;
}
