import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Resource } from "../../shared/kube/client.ts";
import { apiVersionOf, type KubeObject, type RawMetadata } from "../../shared/kube/object.ts";
import {
  type Change,
  isSelected,
  json,
  metadataOf,
  refuse,
  type SeenRequest,
  type ServedKind,
  type Stream,
  send,
  text,
  verbOf,
} from "./fake-api-answer.ts";

/** A fault: it is asked for each request. True: it has answered (or never will); false: the server answers as ever. */
export type Fault = (request: SeenRequest, response: ServerResponse) => boolean;

interface Snapshot {
  readonly version: number;
  readonly kinds: ReadonlyMap<string, ReadonlyMap<string, KubeObject>>;
}

interface Found {
  readonly kind: ServedKind;
  readonly place: { readonly namespace?: string; readonly name?: string };
}

type Place = { readonly namespace?: string | undefined; readonly name: string };

const keyOf = ({ namespace, name }: Place): string => `${namespace ?? ""}/${name}`;
const versionOf = (object: KubeObject): number => Number(object.metadata.resourceVersion);

/**
 * A small API server over real HTTP whose misbehaviour is scripted: for suites that must see what a client does when a
 * server is slow, silent, forgetful or wrong. It knows no schema and no admission.
 */
export class FakeApiServer {
  readonly requests: SeenRequest[] = [];
  readonly #kinds = new Map<string, ServedKind>();
  readonly #streams = new Set<Stream>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #faults: Fault[] = [];
  #version = 100;
  #uids = 0;
  #pages = new Map<string, { readonly rest: KubeObject[]; readonly version: number }>();
  #expired = new Map<string, { readonly after: string }>();

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  /** Listens on a free port of loopback. */
  static async start(resources: readonly Resource[]): Promise<FakeApiServer> {
    const server = new FakeApiServer();
    for (const resource of resources) server.install(resource);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  get version(): string {
    return String(this.#version);
  }
  /** Watches that are open now, of one kind or of all. */
  watches(plural?: string): number {
    return [...this.#streams].filter(({ kind }) => plural === undefined || kind.resource.plural === plural)
      .length;
  }
  count(verb: SeenRequest["verb"], plural?: string): number {
    return this.requests.filter(
      (request) =>
        request.verb === verb && (plural === undefined || request.path.split("/").includes(plural)),
    ).length;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  install(resource: Resource): void {
    const { group, version, plural } = resource;
    this.#kinds.set(`${group}/${version}/${plural}`, {
      resource,
      objects: new Map(),
      changes: [],
      oldest: this.#version,
    });
  }

  /** Removes the kind as the server removes a CRD: DELETED for every object, then the watches end, then 404. */
  uninstall(plural: string): void {
    const kind = this.#kind(plural);
    for (const object of [...kind.objects.values()]) this.remove(plural, object.metadata);
    this.#kinds.delete(`${kind.resource.group}/${kind.resource.version}/${plural}`);
    this.endWatches("clean", plural);
  }

  /** Creates or changes an object. Returns it as it is then. */
  put(
    plural: string,
    place: Place,
    body: Readonly<Record<string, unknown>> = {},
    metadata: Partial<RawMetadata> = {},
  ): KubeObject {
    const kind = this.#kind(plural);
    const before = kind.objects.get(keyOf(place));
    const object: KubeObject = {
      ...body,
      apiVersion: apiVersionOf(kind.resource),
      kind: kind.resource.kind,
      metadata: {
        generation: 1,
        ...metadata,
        ...place,
        uid: before?.metadata.uid ?? `uid-${++this.#uids}`,
        creationTimestamp: "2026-01-01T00:00:00Z",
        resourceVersion: String(++this.#version),
      },
    };
    kind.objects.set(keyOf(place), object);
    this.#tell(kind, { type: before === undefined ? "ADDED" : "MODIFIED", object, before });
    return object;
  }

  remove(plural: string, place: Place): void {
    const kind = this.#kind(plural);
    const before = kind.objects.get(keyOf(place));
    if (before === undefined) return;
    kind.objects.delete(keyOf(place));
    const object = { ...before, metadata: { ...before.metadata, resourceVersion: String(++this.#version) } };
    this.#tell(kind, { type: "DELETED", object, before });
  }

  objects(plural: string): readonly KubeObject[] {
    return [...this.#kind(plural).objects.values()];
  }

  /** Other kinds were written to. */
  advance(by: number): void {
    this.#version += by;
  }

  bookmark(): void {
    for (const stream of this.#streams) {
      const { resource } = stream.kind;
      const object = {
        apiVersion: apiVersionOf(resource),
        kind: resource.kind,
        metadata: { resourceVersion: this.version },
      };
      stream.response.write(`${JSON.stringify({ type: "BOOKMARK", object })}\n`);
    }
  }

  /** Answers the next requests that a fault takes; each fault strikes `times` times. */
  fail(
    matches: (request: SeenRequest) => boolean,
    fault: (response: ServerResponse, request: SeenRequest) => void,
    times = 1,
  ): void {
    let left = times;
    const strike: Fault = (request, response) => {
      if (left === 0 || !matches(request)) return false;
      left--;
      fault(response, request);
      return true;
    };
    this.#faults.push(strike);
  }
  heal(): void {
    this.#faults = [];
  }

  /** Ends the open watches. `reset`: the connection breaks; `midLine`: after half a line. */
  endWatches(how: "clean" | "reset" | "midLine", plural?: string): void {
    for (const stream of [...this.#streams]) {
      if (plural !== undefined && stream.kind.resource.plural !== plural) continue;
      this.#streams.delete(stream);
      if (how === "clean") stream.response.end();
      else if (how === "reset") stream.response.destroy();
      else {
        stream.response.write('{"type":"MODIFIED","object":{"apiVer');
        stream.response.end();
      }
    }
  }

  /** Writes text into the open watches, as it is. */
  inject(text: string, plural?: string): void {
    for (const stream of this.#streams)
      if (plural === undefined || stream.kind.resource.plural === plural) stream.response.write(text);
  }

  /** The server was restarted: it remembers no change from before. */
  forgetChanges(): void {
    for (const kind of this.#kinds.values()) {
      kind.changes = [];
      kind.oldest = this.#version;
    }
  }

  /** Continue tokens are no longer good; with each refusal comes another that goes on at a newer version. */
  expirePages(): void {
    for (const [token, page] of this.#pages) {
      const last = page.rest[0];
      this.#expired.set(token, { after: last === undefined ? "" : keyOf(last.metadata) });
    }
    this.#pages.clear();
  }

  snapshot(): Snapshot {
    return {
      version: this.#version,
      kinds: new Map([...this.#kinds].map(([key, { objects }]) => [key, new Map(objects)])),
    };
  }

  /** The server goes back to an older state, as after an etcd restore: versions begin there anew. */
  restore(snapshot: Snapshot): void {
    this.#version = snapshot.version;
    for (const [key, kind] of this.#kinds) {
      kind.objects = new Map(snapshot.kinds.get(key));
      kind.changes = [];
      kind.oldest = this.#version;
    }
    this.endWatches("reset");
  }

  #kind(plural: string): ServedKind {
    for (const kind of this.#kinds.values()) if (kind.resource.plural === plural) return kind;
    throw new Error(`The fake server does not serve ${plural}`);
  }

  #tell(kind: ServedKind, change: Change): void {
    kind.changes.push(change);
    for (const stream of this.#streams) if (stream.kind === kind) send(stream, change);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? "/", "http://fake");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const found = this.#find(url.pathname);
    const seen: SeenRequest = {
      verb: verbOf(request.method ?? "GET", url.searchParams, found?.place.name),
      path: url.pathname,
      query: url.searchParams,
      metadataOnly: (request.headers.accept ?? "").includes("PartialObjectMetadata"),
    };
    this.requests.push(seen);
    for (const fault of this.#faults) if (fault(seen, response)) return;
    if (found === undefined) return text(response, 404, "404 page not found");
    switch (seen.verb) {
      case "get":
        return this.#get(found, seen, response);
      case "list":
      case "probe":
        return this.#list(found, seen, response);
      case "watch":
        return this.#watch(found, seen, response);
      case "create":
      case "replace":
        return this.#write(found, seen.verb, JSON.parse(body) as KubeObject, response);
      case "other":
        return refuse(response, 405, "MethodNotAllowed", "not served here");
    }
  }

  #find(path: string): Found | undefined {
    const parts = path.split("/").filter((part) => part !== "");
    const [group, version, ...rest] = parts[0] === "api" ? ["", ...parts.slice(1)] : parts.slice(1);
    const inNamespace = rest[0] === "namespaces" && rest.length > 2;
    const [plural, name] = inNamespace ? rest.slice(2) : rest;
    const kind = this.#kinds.get(`${group}/${version}/${plural}`);
    if (kind === undefined) return undefined;
    const namespace = inNamespace ? rest[1] : undefined;
    return {
      kind,
      place: { ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }) },
    };
  }

  #get({ kind, place }: Found, seen: SeenRequest, response: ServerResponse): ServerResponse {
    const object = kind.objects.get(keyOf({ ...place, name: place.name ?? "" }));
    if (object === undefined) return refuse(response, 404, "NotFound", "not found", { name: place.name });
    return json(response, 200, seen.metadataOnly ? metadataOf(object) : object);
  }

  #list(
    { kind, place }: Found,
    { query, metadataOnly }: SeenRequest,
    response: ServerResponse,
  ): ServerResponse {
    const asked = Number(query.get("resourceVersion") ?? 0);
    if (asked > this.#version)
      return refuse(response, 504, "Timeout", "Too large resource version", {
        causes: [{ reason: "ResourceVersionTooLarge" }],
        retryAfterSeconds: 1,
      });
    const token = query.get("continue");
    const limit = Number(query.get("limit") ?? Number.MAX_SAFE_INTEGER);
    let version = this.#version;
    let rest: KubeObject[];
    const expired = token === null ? undefined : this.#expired.get(token);
    if (expired !== undefined && token !== null) {
      const next = `${token}-on`;
      this.#pages.set(next, {
        rest: this.#select(kind, place.namespace, query).filter(
          ({ metadata }) => keyOf(metadata) >= expired.after,
        ),
        version,
      });
      return refuse(
        response,
        410,
        "Expired",
        "The provided continue parameter is too old",
        {},
        { continue: next },
      );
    }
    const page = token === null ? undefined : this.#pages.get(token);
    if (token !== null && page === undefined)
      return refuse(response, 400, "BadRequest", "continue key is not valid");
    if (page === undefined) rest = this.#select(kind, place.namespace, query);
    else ({ rest, version } = page);
    const items = rest.slice(0, limit);
    const left = rest.slice(limit);
    const next =
      left.length === 0
        ? ""
        : `page-${this.#pages.size + this.#expired.size}-${this.#version}-${left.length}`;
    if (left.length > 0) this.#pages.set(next, { rest: left, version });
    return json(response, 200, {
      apiVersion: apiVersionOf(kind.resource),
      kind: `${kind.resource.kind}List`,
      metadata: { resourceVersion: String(version), continue: next },
      items: metadataOnly ? items.map(metadataOf) : items,
    });
  }

  #select(kind: ServedKind, namespace: string | undefined, query: URLSearchParams): KubeObject[] {
    return [...kind.objects.values()]
      .filter((object) => isSelected(object, namespace, query))
      .sort((a, b) => (keyOf(a.metadata) < keyOf(b.metadata) ? -1 : 1));
  }

  #watch({ kind, place }: Found, { query, metadataOnly }: SeenRequest, response: ServerResponse): void {
    const from = Number(query.get("resourceVersion"));
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    if (from < kind.oldest) {
      const status = {
        apiVersion: "v1",
        kind: "Status",
        metadata: {},
        status: "Failure",
        message: `too old resource version: ${from} (${kind.oldest})`,
        reason: "Expired",
        code: 410,
      };
      response.end(`${JSON.stringify({ type: "ERROR", object: status })}\n`);
      return;
    }
    const stream: Stream = { response, kind, namespace: place.namespace, query, metadataOnly };
    // From the future: 200, and nothing ever.
    if (from > this.#version) return;
    for (const change of kind.changes) if (versionOf(change.object) > from) send(stream, change);
    this.#streams.add(stream);
    response.on("close", () => this.#streams.delete(stream));
  }

  #write(
    { kind, place }: Found,
    verb: "create" | "replace",
    body: KubeObject,
    response: ServerResponse,
  ): ServerResponse {
    const at = { ...place, name: body.metadata.name };
    const known = kind.objects.get(keyOf(at));
    if (verb === "create" && known !== undefined)
      return refuse(response, 409, "AlreadyExists", "already exists");
    if (verb === "replace" && known === undefined)
      return refuse(response, 404, "NotFound", "not found", { name: at.name });
    const { resourceVersion, uid: _, ...metadata } = body.metadata;
    if (
      known !== undefined &&
      resourceVersion !== undefined &&
      resourceVersion !== known.metadata.resourceVersion
    )
      return refuse(response, 409, "Conflict", "the object has been modified");
    return json(response, verb === "create" ? 201 : 200, this.put(kind.resource.plural, at, body, metadata));
  }
}
