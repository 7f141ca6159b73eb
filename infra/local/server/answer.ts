import { ApiError, badRequest, methodNotAllowed, noSuchPath, notFound, notOffered } from "../api-error.ts";
import { clone, type JsonObject } from "../json.ts";
import { type Kernel, load, type WriteRequest } from "../kernel.ts";
import { jsonPatch } from "../patch/json-patch.ts";
import { mergePatch } from "../patch/merge-patch.ts";
import type { ApiObject, ApiRequest, ApiResponse, Faces, ResourceType } from "../resource-type.ts";
import { normalise, requireKind } from "../rest/admit.ts";
import { create } from "../rest/create.ts";
import { type DeleteOptions, deleteOptionsOf, remove } from "../rest/delete.ts";
import { list } from "../rest/list.ts";
import { isTrue } from "../rest/parameters.ts";
import { patch } from "../rest/patch.ts";
import { scaleOf, withScale } from "../rest/scale.ts";
import { update } from "../rest/update.ts";
import { reached, versionParameter } from "../rest/version-wait.ts";
import { type WatchSink, watch } from "../watch/watch.ts";

import { decodeObject, mediaType } from "./body.ts";
import { duplicateFields } from "./duplicates.ts";
import { encoded, presentationOf, showList, showObject, type TableContext } from "./present.ts";
import { type Route, routeOf } from "./route.ts";

/** The kernel with its faces: what is shown beside plain objects. */
export interface Service {
  readonly kernel: Kernel;
  readonly faces: Partial<Faces>;
}

const header = (request: ApiRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === "string" || value === undefined ? value : value.join(",");
};

/** Answers one request. A watch is written to `sink` instead, and the answer is undefined. */
export async function answer(
  service: Service,
  request: ApiRequest,
  sink: WatchSink,
): Promise<ApiResponse | undefined> {
  const { kernel, faces } = service;
  const warnings: string[] = [];
  try {
    if (["/healthz", "/readyz", "/livez"].includes(request.path))
      return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body: "ok" };
    const face = faces.paths?.(request, {
      registry: kernel.registry,
      now: () => kernel.clock.now(),
      get: (type, namespace, name) => load(kernel, type, namespace, name),
    });
    if (face !== undefined) return face;
    if (!request.path.startsWith("/api")) throw noSuchPath();
    const route = routeOf(kernel.registry, request.path);
    const response = await answerRoute(service, request, route, warnings, sink);
    return response === undefined ? undefined : withWarnings(response, warnings);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return withWarnings(failure(error), warnings);
  }
}

/** The answer that says why a request was refused. */
export function failure(error: ApiError): ApiResponse {
  const { code, details } = error.status;
  const retry = details?.retryAfterSeconds;
  if (error.plain !== undefined)
    return { status: code, headers: { "content-type": "text/plain; charset=utf-8" }, body: error.plain };
  return {
    status: code,
    headers: {
      "content-type": "application/json",
      ...(retry === undefined ? {} : { "retry-after": String(retry) }),
    },
    body: JSON.stringify(error.status),
  };
}

const withWarnings = (response: ApiResponse, warnings: readonly string[]): ApiResponse =>
  warnings.length === 0
    ? response
    : {
        ...response,
        headers: {
          ...response.headers,
          warning: warnings.map((text) => `299 - ${JSON.stringify(text)}`).join(", "),
        },
      };

async function answerRoute(
  service: Service,
  request: ApiRequest,
  route: Route,
  warnings: string[],
  sink: WatchSink,
): Promise<ApiResponse | undefined> {
  const { type, name, subresource } = route;
  if (type.deprecationWarning !== undefined) warnings.push(type.deprecationWarning);
  if (subresource !== undefined) requireSubresource(type, subresource);
  const verb = verbOf(request, route);
  if (type.verbs !== undefined && !type.verbs.includes(verb)) throw methodNotAllowed();
  if (name === undefined) return answerCollection(service, request, route, verb, warnings, sink);
  if (subresource === "scale") return answerScale(service, request, route, warnings);
  return answerObject(service, request, route, warnings);
}

function verbOf({ method, query }: ApiRequest, { name }: Route): string {
  const watching = isTrue(query.get("watch"));
  switch (method) {
    case "GET":
    case "HEAD":
      return name === undefined ? (watching ? "watch" : "list") : "get";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return name === undefined ? "deletecollection" : "delete";
    default:
      throw methodNotAllowed();
  }
}

function requireSubresource(type: ResourceType, subresource: string): void {
  if (subresource === "status" && type.subresources.status) return;
  if (subresource === "scale" && type.subresources.scale !== undefined) return;
  if (subresource === "finalize" && type.group === "" && type.plural === "namespaces") return;
  if (type.custom) throw noSuchPath();
  throw notOffered(`${type.plural}/${subresource}`);
}

const tableContext = ({ kernel, faces }: Service, { query }: ApiRequest): TableContext => {
  const include = query.get("includeObject");
  return {
    tableOf: faces.tableOf,
    includeObject: include === "None" || include === "Object" ? include : "Metadata",
    now: kernel.clock.now(),
  };
};

function writeRequest(
  { query, user, headers }: ApiRequest,
  { type, namespace, subresource }: Route,
  warnings: string[],
): WriteRequest {
  const validation = query.get("fieldValidation") ?? "Warn";
  if (validation !== "Strict" && validation !== "Warn" && validation !== "Ignore") {
    throw badRequest(
      `fieldValidation: Unsupported value: ${JSON.stringify(validation)}: supported values: "Ignore", "Warn", "Strict"`,
    );
  }
  const agent = typeof headers["user-agent"] === "string" ? headers["user-agent"] : "";
  return {
    type,
    namespace,
    subresource: subresource === "scale" ? undefined : subresource,
    fieldManager: query.get("fieldManager") || (agent.split("/")[0] ?? "") || "unknown",
    fieldValidation: validation,
    dryRun: query.getAll("dryRun").includes("All"),
    user,
    warnings,
  };
}

const ok = (status: number, body: string, contentType = "application/json"): ApiResponse => ({
  status,
  headers: { "content-type": contentType },
  body,
});

async function answerCollection(
  service: Service,
  request: ApiRequest,
  route: Route,
  verb: string,
  warnings: string[],
  sink: WatchSink,
): Promise<ApiResponse | undefined> {
  const { kernel } = service;
  const { type, namespace } = route;
  const accept = header(request, "accept");
  const tables = service.faces.tableOf !== undefined;
  if (verb === "list") {
    const presentation = presentationOf(accept, true, tables);
    const text = showList(
      type,
      await list(kernel, type, namespace, request.query),
      presentation,
      tableContext(service, request),
    );
    const { type: contentType, body } = encoded(text, presentation);
    return ok(200, body, contentType);
  }
  if (verb === "watch") {
    const presentation = presentationOf(accept, false, tables);
    watch(
      kernel,
      type,
      namespace,
      request.query,
      showObject(type, presentation, tableContext(service, request), true),
      sink,
    );
    return undefined;
  }
  const write = writeRequest(request, route, warnings);
  if (verb === "create") return answerCreate(service, request, write);
  if (verb !== "deletecollection") throw badRequest("name must be provided");
  const options = deleteOptions(request);
  const found = await list(kernel, type, namespace, request.query);
  const gone = found.texts.map((text) => {
    const { metadata } = JSON.parse(text) as ApiObject;
    return remove(kernel, { ...write, namespace: metadata.namespace }, metadata.name, {
      ...options,
      uid: metadata.uid,
    }).object;
  });
  const presentation = presentationOf(accept, true, tables);
  return ok(
    200,
    showList(
      type,
      { texts: gone.map((object) => JSON.stringify(object)), metadata: found.metadata },
      presentation,
      tableContext(service, request),
    ),
  );
}

function answerCreate(service: Service, request: ApiRequest, write: WriteRequest): ApiResponse {
  const { type } = write;
  if (type.namespaced && write.namespace === undefined) throw methodNotAllowed();
  const object = normalisedIn(service, request, write);
  return shown(service, request, write, 201, create(service.kernel, write, object));
}

/** The object of a write, ready to be stored. `name`: what the path calls it, where it names one. */
function normalisedIn(service: Service, request: ApiRequest, write: WriteRequest, name?: string): ApiObject {
  const contentType = mediaType(header(request, "content-type"));
  const object = decodeObject(request.body, contentType, write.type.kind, service.faces.decodeProtobuf);
  const text = Buffer.from(request.body).toString();
  requireKind(write, object, text);
  if (name !== undefined) requireUrlName(object, name);
  const doubled = text.startsWith("{") ? duplicateFields(text) : [];
  normalise(
    write,
    object,
    doubled.map((path) => `duplicate field "${path}"`),
  );
  return object;
}

function shown(
  service: Service,
  request: ApiRequest,
  { type }: WriteRequest,
  status: number,
  object: ApiObject,
): ApiResponse {
  const presentation = presentationOf(header(request, "accept"), false, service.faces.tableOf !== undefined);
  const { type: contentType, body } = encoded(
    showObject(type, presentation, tableContext(service, request))(JSON.stringify(object)),
    presentation,
  );
  return ok(status, body, contentType);
}

function deleteOptions(request: ApiRequest): DeleteOptions {
  const raw = Buffer.from(request.body).toString().trim();
  let body: unknown = {};
  try {
    if (raw !== "") body = JSON.parse(raw);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badRequest(`couldn't get version/kind; json parse error: ${error.message}`);
  }
  return deleteOptionsOf(
    typeof body === "object" && body !== null ? (body as JsonObject) : {},
    request.query,
  );
}

async function answerObject(
  service: Service,
  request: ApiRequest,
  route: Route,
  warnings: string[],
): Promise<ApiResponse> {
  const { kernel } = service;
  const { type, namespace, subresource } = route;
  const name = route.name ?? "";
  if (request.method === "GET" || request.method === "HEAD") {
    await reached(kernel, versionParameter(request.query.get("resourceVersion")));
    const object = load(kernel, type, namespace, name);
    if (object === undefined) throw notFound(type, name);
    return shown(service, request, writeRequest(request, route, warnings), 200, object);
  }
  const write = writeRequest(request, route, warnings);
  if (request.method === "PUT") {
    const object = normalisedIn(service, request, write, name);
    const live = load(kernel, type, namespace, name);
    if (live === undefined) throw notFound(type, name);
    return shown(service, request, write, 200, update(kernel, write, live, object, { replace: true }));
  }
  if (request.method === "PATCH") {
    const { query } = request;
    const { object, created } = patch(kernel, {
      ...write,
      name,
      contentType: mediaType(header(request, "content-type")),
      body: Buffer.from(request.body).toString(),
      force: query.has("force") ? isTrue(query.get("force")) : undefined,
      namedManager: (query.get("fieldManager") ?? "") !== "",
    });
    return shown(service, request, write, created ? 201 : 200, object);
  }
  if (request.method !== "DELETE" || subresource !== undefined) throw methodNotAllowed();
  const { object, gone } = remove(kernel, write, name, deleteOptions(request));
  return gone && !(type.group === "" && returnedWhenDeleted.has(type.plural))
    ? ok(200, JSON.stringify(deletedStatus(type, object)))
    : shown(service, request, write, 200, object);
}

/** Kinds whose last state answers a delete. */
const returnedWhenDeleted = new Set([
  "pods",
  "services",
  "serviceaccounts",
  "persistentvolumes",
  "persistentvolumeclaims",
  "podtemplates",
  "resourcequotas",
]);

function requireUrlName(object: ApiObject, name: string): void {
  const given = object.metadata?.name;
  if (given === undefined || given === "") {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

const deletedStatus = (type: ResourceType, { metadata }: ApiObject): JsonObject => ({
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Success",
  details: {
    name: metadata.name,
    ...(type.group === "" ? {} : { group: type.group }),
    kind: type.plural,
    uid: metadata.uid,
  },
});

async function answerScale(
  service: Service,
  request: ApiRequest,
  route: Route,
  warnings: string[],
): Promise<ApiResponse> {
  const { kernel } = service;
  const { type, namespace } = route;
  const name = route.name ?? "";
  const live = load(kernel, type, namespace, name);
  if (live === undefined) throw notFound(type, name);
  if (request.method === "GET") return ok(200, JSON.stringify(scaleOf(type, live)));
  const write = writeRequest(request, route, warnings);
  let scale: ApiObject;
  if (request.method === "PUT")
    scale = decodeObject(
      request.body,
      mediaType(header(request, "content-type")),
      "Scale",
      service.faces.decodeProtobuf,
    );
  else if (request.method === "PATCH") scale = patchedScale(type, live, request);
  else throw methodNotAllowed();
  const next = update(kernel, write, live, withScale(type, clone(live), scale));
  return ok(200, JSON.stringify(scaleOf(type, next)));
}

function patchedScale(type: ResourceType, live: ApiObject, request: ApiRequest): ApiObject {
  const before = { ...withSpec(type, live) };
  const document = JSON.parse(Buffer.from(request.body).toString()) as unknown;
  const contentType = mediaType(header(request, "content-type"));
  const after =
    contentType === "application/json-patch+json"
      ? jsonPatch(before, document)
      : mergePatch(before, document);
  return after as ApiObject;
}

/** The present scale; one without replicas begins at 0. */
function withSpec(type: ResourceType, live: ApiObject): ApiObject {
  try {
    return scaleOf(type, live);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: "Scale", apiVersion: "autoscaling/v1", metadata: { ...live.metadata }, spec: {} };
  }
}
