import jsonPatchLibrary, { type Operation } from "fast-json-patch";
import { ApiError, badRequest } from "../api-error.ts";
import { clone, isObject, type JsonObject } from "../json.ts";

const mostOperations = 10_000;

/** The object after an RFC 6902 patch. Throws a 400 for what is no patch, a 422 where a test or path fails. */
export function jsonPatch(object: JsonObject, patch: unknown): unknown {
  if (!Array.isArray(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${isObject(patch) ? "object" : typeof patch} into Go value of type []handlers.jsonPatchOp`,
    );
  }
  if (patch.length > mostOperations) {
    throw new ApiError(
      413,
      "RequestEntityTooLarge",
      `Request entity too large: The allowed maximum operations in a JSON patch is ${mostOperations}, got ${patch.length}`,
    );
  }
  try {
    return jsonPatchLibrary.applyPatch(clone(object), clone(patch) as Operation[], true).newDocument;
  } catch (error) {
    // The real server says no more than this either.
    if (error instanceof Error)
      throw new ApiError(422, "Invalid", "the server rejected our request due to an error in our request", {
        details: {},
      });
    throw error;
  }
}
