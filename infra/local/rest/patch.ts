import { parse as parseYaml, YAMLParseError } from "yaml";
import { fault } from "../../../shared/kube/validation/fault.ts";
import {
  ApiError,
  badRequest,
  conflict,
  invalid,
  invalidOptions,
  notFound,
  unsupportedMediaType,
} from "../api-error.ts";
import { applyConfiguration } from "../fields/track.ts";
import { isObject, type JsonObject } from "../json.ts";
import { apiVersionOfType, type Kernel, load, timestamp, type WriteRequest } from "../kernel.ts";
import { jsonPatch } from "../patch/json-patch.ts";
import { mergePatch } from "../patch/merge-patch.ts";
import { strategicPatch } from "../patch/strategic-patch.ts";
import type { ApiObject } from "../resource-type.ts";
import { goJsonError, goText } from "../server/go-json.ts";
import { fillDefaults, normalise, requireKind } from "./admit.ts";
import { create } from "./create.ts";
import { update } from "./update.ts";

export interface PatchRequest extends WriteRequest {
  readonly name: string;
  readonly contentType: string;
  readonly body: string;
  /** `force` of an apply; undefined where the parameter was not given. */
  readonly force: boolean | undefined;
  /** True where the client named its field manager: an apply must. */
  readonly namedManager: boolean;
}

const types = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/** PATCH of any of the four types. `created` says that an apply made the object. */
export function patch(
  kernel: Kernel,
  request: PatchRequest,
): { readonly object: ApiObject; readonly created: boolean } {
  const { type, contentType } = request;
  const accepted: string[] = type.custom ? [types.json, types.merge, types.apply] : Object.values(types);
  if (!accepted.includes(contentType)) throw unsupportedMediaType(accepted);
  if (contentType === types.apply) return apply(kernel, request);
  if (request.force !== undefined) {
    throw invalidOptions("PatchOptions", [
      fault.forbidden("force", "may not be specified for non-apply patch"),
    ]);
  }
  const live = load(kernel, type, request.namespace, request.name);
  if (live === undefined) throw notFound(type, request.name);
  const document = parseJson(request.body);
  const candidate = patched(request, live, document);
  requireName(candidate, request.name);
  requireKind(request, candidate, "");
  normalisePatched(request, candidate, document);
  return { object: update(kernel, request, live, candidate), created: false };
}

/** Normalises a patched built-in kind. An object that Go cannot read is the patch's fault, not the body's. */
function normalisePatched(request: PatchRequest, candidate: ApiObject, document: unknown): void {
  const { type, contentType } = request;
  const shown = contentType === types.strategic ? goText(document) : JSON.stringify(candidate);
  try {
    normalise(request, candidate);
  } catch (error) {
    const why =
      error instanceof ApiError && !type.custom ? /: (json: cannot unmarshal .*)$/.exec(error.message) : null;
    if (why === null) throw error;
    // A strategic merge works on Go structs, which tell less.
    const goType = contentType === types.strategic ? / of type (\S+)$/.exec(why[1] ?? "")?.[1] : undefined;
    const said = goType === undefined ? (why[1] ?? "") : `unrecognized type: ${goType}`;
    throw invalid("", "", "", [fault.invalid("patch", shown, said)]);
  }
}

function patched({ type, contentType }: PatchRequest, live: ApiObject, document: unknown): ApiObject {
  let result: unknown;
  if (contentType === types.json) result = jsonPatch(live, document);
  else {
    if (!isObject(document))
      throw badRequest(
        `error decoding patch: json: cannot unmarshal ${Array.isArray(document) ? "array" : typeof document} into Go value of type map[string]interface {}`,
      );
    result =
      contentType === types.merge ? mergePatch(live, document) : strategicPatch(type.schema, live, document);
  }
  if (!isObject(result)) throw badRequest("the patch leaves no object");
  // Where the patch took it away, kind and version are still those of the path.
  return JSON.parse(
    JSON.stringify({
      ...result,
      apiVersion: result.apiVersion ?? live.apiVersion,
      kind: result.kind ?? live.kind,
    }),
  ) as ApiObject;
}

function apply(
  kernel: Kernel,
  request: PatchRequest,
): { readonly object: ApiObject; readonly created: boolean } {
  const { type, name, subresource } = request;
  if (!request.namedManager) {
    throw invalidOptions("PatchOptions", [fault.required("fieldManager", "is required for apply patch")]);
  }
  const config = parseConfiguration(request.body);
  if (config.apiVersion !== undefined && config.apiVersion !== apiVersionOfType(type)) {
    throw badRequest(
      `the API version in the data (${String(config.apiVersion)}) does not match the expected API version (${apiVersionOfType(type)})`,
    );
  }
  requireKind(request, config, request.body.trim());
  if (!isObject(config.metadata)) config.metadata = {} as ApiObject["metadata"];
  requireName(config, name);
  const { managedFields } = config.metadata as JsonObject;
  if (managedFields !== undefined && managedFields !== null)
    throw badRequest("metadata.managedFields must be nil");
  config.metadata.name = name;
  requirePlace(request, config);
  for (const field of ["managedFields", "generation", "creationTimestamp", "deletionTimestamp", "selfLink"])
    delete config.metadata[field];
  const live = load(kernel, type, request.namespace, name);
  if (live === undefined && subresource !== undefined) throw notFound(type, name);
  const writer = {
    fieldManager: request.fieldManager,
    subresource,
    time: timestamp(kernel.clock.now()),
    force: request.force === true,
  };
  if (live === undefined) {
    if (config.metadata.uid) {
      throw conflict(
        type,
        name,
        `uid mismatch: the provided object specified uid ${config.metadata.uid}, and no existing object was found`,
      );
    }
    delete config.metadata.resourceVersion;
    const made = applyConfiguration(type, undefined, config, writer);
    fillDefaults(request, made);
    return { object: create(kernel, request, structuredClone(made), true), created: true };
  }
  const next = applyConfiguration(type, live, config, writer);
  return { object: update(kernel, request, live, structuredClone(next), { applied: true }), created: false };
}

function requirePlace({ type, namespace }: PatchRequest, { metadata }: ApiObject): void {
  if (!type.namespaced) return;
  if (metadata.namespace !== undefined && metadata.namespace !== "" && metadata.namespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

function requireName(object: ApiObject, name: string): void {
  const given = isObject(object.metadata) ? object.metadata.name : undefined;
  if (given !== undefined && given !== "" && given !== name) {
    throw badRequest(
      `the name of the object (${String(given)}) does not match the name on the URL (${name})`,
    );
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badRequest(`error decoding patch: ${goJsonError(body, error)}`);
  }
}
function parseConfiguration(body: string): ApiObject {
  let config: unknown;
  try {
    config = body.trimStart().startsWith("{") ? JSON.parse(body) : parseYaml(body);
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof YAMLParseError)) throw error;
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message.split("\n")[0]}`);
  }
  if (!isObject(config))
    throw new ApiError(400, "BadRequest", "error decoding YAML: the configuration is no object");
  return config as ApiObject;
}
