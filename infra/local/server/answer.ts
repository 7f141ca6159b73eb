import { admitted, admittedDeletion } from "../admission/admitted.ts";
import {
  ApiError,
  badRequest,
  methodNotAllowed,
  noSuchPath,
  noSuchResource,
  notFound,
  notOffered,
} from "../api-error.ts";
import { clone, type JsonObject } from "../json.ts";
import { load, type WriteRequest } from "../kernel.ts";
import type { ApiObject, ApiRequest, ApiResponse, ResourceType } from "../resource-type.ts";
import { normalise, requireKind } from "../rest/admit.ts";
import { create } from "../rest/create.ts";
import { remove } from "../rest/delete.ts";
import { evict } from "../rest/evict.ts";
import { list } from "../rest/list.ts";
import { isTrue } from "../rest/parameters.ts";
import { patch } from "../rest/patch.ts";
import { update } from "../rest/update.ts";
import { reached, versionParameter } from "../rest/version-wait.ts";
import { type WatchSink, watch } from "../watch/watch.ts";

import { decodeObject, mediaType } from "./body.ts";
import { duplicateFields } from "./duplicates.ts";
import { answerHealth } from "./health.ts";
import { deleteOptions, writeRequest } from "./options.ts";
import { encoded, presentationOf, showList, showObject } from "./present.ts";
import { type Route, routeOf } from "./route.ts";
import { answerScale } from "./scale.ts";
import { header, ok, type Service, tableContext } from "./service.ts";
import { warningHeader } from "./warnings.ts";

/** Answers one request. A watch is written to `sink` instead, and the answer is undefined. */
export async function answer(
  service: Service,
  request: ApiRequest,
  sink: WatchSink,
): Promise<ApiResponse | undefined> {
  const { kernel, faces } = service;
  const warnings: string[] = [];
  try {
    const health = answerHealth(service, request);
    if (health !== undefined) return health;
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

function withWarnings(response: ApiResponse, warnings: readonly string[]): ApiResponse {
  const warning = warningHeader(warnings);
  return warning === undefined ? response : { ...response, headers: { ...response.headers, warning } };
}

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
  // The real server has no such path for custom resources: without a namespace they are only read.
  if (type.custom && type.namespaced && route.namespace === undefined && verb !== "list" && verb !== "watch")
    throw noSuchPath();
  if (type.verbs !== undefined && !type.verbs.includes(verb))
    throw type.plural === "replicationcontrollers" ? notOffered(type.plural) : methodNotAllowed();
  if (name === undefined) return answerCollection(service, request, route, verb, warnings, sink);
  if (subresource === "eviction") return answerEviction(service, request, route, warnings);
  if (subresource === "scale") return answerScale(service, request, route, warnings);
  return answerObject(service, request, route, warnings);
}

function verbOf({ method, query }: ApiRequest, { name, type }: Route): string {
  const watching = isTrue(query.get("watch"));
  switch (method) {
    case "HEAD":
      // Only the doors of custom resources take it.
      if (!type.custom) throw methodNotAllowed();
      return name === undefined ? "list" : "get";
    case "GET":
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
  const special = `${type.group}/${type.plural}/${subresource}`;
  if (special === "/namespaces/finalize" || special === "/pods/eviction") return;
  if (type.custom) throw noSuchPath();
  throw left.has(special) ? notOffered(`${type.plural}/${subresource}`) : noSuchResource();
}
/** The parts of the real server that this one leaves out. */
const left = new Set([
  ...["attach", "binding", "ephemeralcontainers", "exec", "log", "portforward", "proxy", "resize"].map(
    (name) => `/pods/${name}`,
  ),
  "/services/proxy",
  "/nodes/proxy",
]);

function answerEviction(
  { kernel, faces }: Service,
  request: ApiRequest,
  route: Route,
  warnings: string[],
): ApiResponse {
  if (request.method !== "POST") throw methodNotAllowed();
  const write = writeRequest(request, route, warnings);
  const contentType = mediaType(header(request, "content-type"));
  evict(
    kernel,
    write,
    route.name ?? "",
    decodeObject(request.body, contentType, "Eviction", faces.decodeProtobuf),
  );
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
  return ok(201, JSON.stringify(status));
}

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
  if (verb === "create") return await answerCreate(service, request, write);
  // Without a namespace a client that lost its own would empty all of them.
  if (verb !== "deletecollection" || (type.namespaced && namespace === undefined)) throw methodNotAllowed();
  const options = deleteOptions(request, service.faces.decodeProtobuf);
  const found = await list(kernel, type, namespace, request.query);
  const gone: ApiObject[] = [];
  for (const text of found.texts) {
    const { name, namespace: place, uid } = (JSON.parse(text) as ApiObject).metadata;
    const one = { ...write, namespace: place, dryRun: write.dryRun || options.dryRun };
    const deleted = await admittedDeletion(kernel, one, name, shownOptions(request, write), () =>
      remove(kernel, one, name, { ...options, uid }),
    );
    gone.push(deleted.object);
  }
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

async function answerCreate(
  service: Service,
  request: ApiRequest,
  write: WriteRequest,
): Promise<ApiResponse> {
  const { type } = write;
  if (type.namespaced && write.namespace === undefined) throw methodNotAllowed();
  const object = normalisedIn(service, request, write);
  const { object: created } = await admitted(
    service.kernel,
    write,
    shownOptions(request, write),
    // Where webhooks are asked the write is run more than once.
    (one) => ({ object: create(service.kernel, one, one.made === undefined ? object : clone(object)) }),
  );
  return shown(service, request, type, 201, created);
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
  type: ResourceType,
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
    return shown(service, request, type, 200, object);
  }
  const write = writeRequest(request, route, warnings);
  if (request.method === "PUT") {
    const object = normalisedIn(service, request, write, name);
    const { object: written } = await admitted(kernel, write, shownOptions(request, write), (one) => {
      const live = load(kernel, type, namespace, name);
      if (live === undefined) throw notFound(type, name);
      const next = one.made === undefined ? object : clone(object);
      return { object: update(kernel, one, live, next, { replace: true }) };
    });
    return shown(service, request, type, 200, written);
  }
  if (request.method === "PATCH") {
    const { query } = request;
    const { object, created } = await admitted(kernel, write, shownOptions(request, write), (one) =>
      patch(kernel, {
        ...one,
        name,
        contentType: mediaType(header(request, "content-type")),
        body: Buffer.from(request.body).toString(),
        force: query.has("force") ? isTrue(query.get("force")) : undefined,
        namedManager: (query.get("fieldManager") ?? "") !== "",
      }),
    );
    return shown(service, request, type, created ? 201 : 200, object);
  }
  if (request.method !== "DELETE" || subresource !== undefined) throw methodNotAllowed();
  const options = deleteOptions(request, service.faces.decodeProtobuf);
  const deletion = { ...write, dryRun: write.dryRun || options.dryRun };
  const { object, gone } = await admittedDeletion(kernel, deletion, name, shownOptions(request, write), () =>
    remove(kernel, deletion, name, options),
  );
  return gone && !(type.group === "" && returnedWhenDeleted.has(type.plural))
    ? ok(200, JSON.stringify(deletedStatus(type, object)))
    : shown(service, request, type, 200, object);
}

/** The options of a write, as webhooks are shown them. */
const shownOptions = ({ method }: ApiRequest, { fieldManager, dryRun }: WriteRequest): JsonObject => ({
  apiVersion: "meta.k8s.io/v1",
  ...(method === "DELETE" ? {} : { fieldManager }),
  ...(dryRun ? { dryRun: ["All"] } : {}),
});

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
