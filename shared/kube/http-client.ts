import { type Clock, systemClock } from "../clock/clock.ts";
import { fieldOf } from "../json/fields.ts";
import type {
  DeleteOptions,
  ExecOptions,
  KubeClient,
  ListPage,
  PatchType,
  Place,
  Resource,
  WatchEnd,
  WatchOptions,
  WriteOptions,
} from "./client.ts";
import { KubeError } from "./errors.ts";
import { brokenRequest } from "./http/broken.ts";
import { type Call, Calls, type Verb } from "./http/calls.ts";
import { refusal } from "./http/classify.ts";
import type { Connection } from "./http/connection.ts";
import { type Executed, execute } from "./http/exec.ts";
import { foreignAnswer, isObject } from "./http/foreign.ts";
import { ACCEPTS, nameKind, Reads } from "./http/reads.ts";
import { Transport } from "./http/transport.ts";
import { collectionPath, execPath, objectPath, watchQuery, writeQuery } from "./http/urls.ts";
import { streamWatch } from "./http/watch-stream.ts";
import { TransportError, type WireRequest } from "./http/wire.ts";
import { apiVersionOf, type KubeObject } from "./object.ts";
import { ServedVersions } from "./served-versions.ts";

export interface KubeClientOptions {
  readonly connection: Connection;
  readonly clock?: Clock | undefined;
  /** Writes in flight at once, at most (default 32): the server's answers decide how many. */
  readonly concurrentWrites?: number | undefined;
  /** Sockets for requests (default: 24 more than writes, so that reads go past them); each watch has its own beside them. */
  readonly maxSockets?: number | undefined;
  /** A connection that carries nothing for so long is closed (default: its server closes it). */
  readonly idleMilliseconds?: number | undefined;
  /** A request is given up when no byte came for so long (default 30 s). */
  readonly timeoutMilliseconds?: number | undefined;
  /** The most bytes of one answer (default 256 MiB). */
  readonly maxResponseBytes?: number | undefined;
  /** For how long in all a throttled request is repeated (default 30 s). */
  readonly throttledMilliseconds?: number | undefined;
}

const patchTypes: Readonly<Record<PatchType, string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
};

/** Writes in flight at once, at most. */
const CONCURRENT_WRITES = 32;
/** Sockets that writes never take. */
const SOCKETS_FOR_READS = 24;
/** The light client, on kept HTTP/1.1 connections. */
export function createKubeClient(options: KubeClientOptions): KubeClient {
  return new ServedVersions(new HttpKubeClient(options));
}

class HttpKubeClient implements KubeClient {
  readonly #connection: Connection;
  readonly #transport: Transport;
  readonly #calls: Calls;
  readonly #reads: Reads;
  readonly #timeoutMilliseconds: number;

  constructor(options: KubeClientOptions) {
    const { clock = systemClock, concurrentWrites = CONCURRENT_WRITES } = options;
    this.#connection = options.connection;
    this.#timeoutMilliseconds = options.timeoutMilliseconds ?? 30_000;
    this.#transport = new Transport(options.connection, {
      clock,
      maxSockets: options.maxSockets ?? concurrentWrites + SOCKETS_FOR_READS,
      idleMilliseconds: options.idleMilliseconds,
      timeoutMilliseconds: this.#timeoutMilliseconds,
      maxResponseBytes: options.maxResponseBytes ?? 256 * 1024 * 1024,
    });
    this.#calls = new Calls(options.connection, this.#transport, {
      clock,
      concurrentWrites,
      throttledMilliseconds: options.throttledMilliseconds ?? 30_000,
    });
    this.#reads = new Reads(this.#calls);
  }

  get requests(): Readonly<Record<string, number>> {
    return this.#calls.sent;
  }

  get answers(): Readonly<Record<string, number>> {
    return this.#calls.answers;
  }

  get(...given: Parameters<KubeClient["get"]>): Promise<KubeObject | undefined> {
    return this.#reads.get(...given);
  }

  list(...given: Parameters<KubeClient["list"]>): Promise<ListPage> {
    return this.#reads.list(...given);
  }

  pages(...given: Parameters<KubeClient["pages"]>): AsyncGenerator<ListPage, void, void> {
    return this.#reads.pages(...given);
  }

  async watch(resource: Resource, options: WatchOptions): Promise<WatchEnd> {
    const path = collectionPath(resource, options.namespace) + watchQuery(options);
    const wire: WireRequest = {
      method: "GET",
      path,
      accept: options.metadataOnly ? ACCEPTS.metadata : ACCEPTS.object,
    };
    const apiVersion = apiVersionOf(resource);
    const onEvent: WatchOptions["onEvent"] = (event) => {
      if (event.type !== "ERROR") nameKind(event.object, resource, apiVersion);
      options.onEvent(event);
    };
    const onOpen = (): void => {
      this.#calls.answered("watch", 200);
      options.onOpen?.();
    };
    for (let renewed = false; ; renewed = true) {
      const credential = await this.#connection.credentials.current();
      this.#calls.sent.watch++;
      let outcome: Awaited<ReturnType<typeof streamWatch>>;
      try {
        outcome = await streamWatch(
          this.#transport,
          wire,
          credential,
          { ...options, onEvent, onOpen },
          this.#timeoutMilliseconds,
        );
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
        this.#calls.answered("watch", 0);
        throw brokenRequest(error, this.#connection.server, `GET ${path}`);
      }
      if ("end" in outcome) return outcome.end;
      this.#calls.answered("watch", outcome.refused.status);
      if (outcome.refused.status === 401 && !renewed && this.#connection.credentials.refused()) continue;
      throw refusal(outcome.refused, { name: `GET ${path}`, watch: true });
    }
  }

  async apply(
    resource: Resource,
    place: Place,
    body: KubeObject,
    options: WriteOptions & { readonly force?: boolean | undefined },
  ): Promise<KubeObject> {
    return this.#write(
      "apply",
      resource,
      "PATCH",
      objectPath(resource, place, options.subresource),
      body,
      options,
      {
        contentType: "application/apply-patch+yaml",
        repeatable: true,
      },
    );
  }

  async create(resource: Resource, body: KubeObject, options: WriteOptions): Promise<KubeObject> {
    return this.#write(
      "create",
      resource,
      "POST",
      collectionPath(resource, namespaceOf(resource, body)),
      body,
      options,
      { contentType: "application/json", repeatable: false },
    );
  }

  async patch(
    resource: Resource,
    place: Place,
    type: PatchType,
    body: unknown,
    options: WriteOptions,
  ): Promise<KubeObject> {
    const tests =
      type === "json" &&
      Array.isArray(body) &&
      body.some((step) => (step as { readonly op?: unknown } | null)?.op === "test");
    return this.#write(
      "patch",
      resource,
      "PATCH",
      objectPath(resource, place, options.subresource),
      body,
      options,
      {
        contentType: patchTypes[type],
        tests,
        // Without tests a JSON patch may add to a list twice.
        repeatable: type !== "json" || tests,
      },
    );
  }

  async replace(
    resource: Resource,
    place: Place,
    body: KubeObject,
    options: WriteOptions,
  ): Promise<KubeObject> {
    return this.#write(
      "replace",
      resource,
      "PUT",
      objectPath(resource, place, options.subresource),
      body,
      options,
      {
        contentType: "application/json",
        repeatable: true,
      },
    );
  }

  async delete(resource: Resource, place: Place, options: DeleteOptions): Promise<KubeObject | undefined> {
    const { uid, resourceVersion, propagationPolicy, dryRun } = options;
    const body = {
      apiVersion: "v1",
      kind: "DeleteOptions",
      ...(uid === undefined && resourceVersion === undefined
        ? {}
        : { preconditions: { uid, resourceVersion } }),
      propagationPolicy: propagationPolicy ?? "Background",
      ...(dryRun ? { dryRun: ["All"] } : {}),
    };
    const path = objectPath(resource, place);
    try {
      const answer = (await this.#calls.json({
        verb: "delete",
        method: "DELETE",
        path,
        accept: ACCEPTS.object,
        contentType: "application/json",
        body: JSON.stringify(body),
        signal: options.signal,
        repeatable: true,
        write: true,
      })) as KubeObject;
      if (fieldOf(answer, "kind") === "Status") return undefined;
      if (!isObject(answer)) throw foreignAnswer(`DELETE ${path}`, "no object");
      // Some built-ins answer with the object although nothing keeps it.
      return answer.metadata.deletionTimestamp === undefined
        ? undefined
        : nameKind(answer, resource, apiVersionOf(resource));
    } catch (error) {
      if (error instanceof KubeError && (error.kind === "missing" || error.kind === "gone")) return undefined;
      throw error;
    }
  }

  async discover(group: string, version: string): Promise<readonly Resource[]> {
    const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    try {
      const answer = await this.raw("GET", path);
      const found = fieldOf(answer, "resources");
      if (!Array.isArray(found) && found !== null) throw foreignAnswer(`GET ${path}`, "no list of kinds");
      const resources = (found ?? []) as readonly {
        readonly name: string;
        readonly kind: string;
        readonly namespaced: boolean;
      }[];
      return resources
        .filter(({ name }) => !name.includes("/"))
        .map(({ name, kind, namespaced }) => ({
          group,
          version,
          kind,
          plural: name,
          scope: namespaced ? "Namespaced" : "Cluster",
        }));
    } catch (error) {
      if (error instanceof KubeError && (error.kind === "kindMissing" || error.kind === "missing")) return [];
      throw error;
    }
  }

  async exec(
    pod: Place,
    container: string,
    command: readonly string[],
    options: ExecOptions,
  ): Promise<Executed> {
    return this.#calls.counted("exec", () =>
      execute(this.#connection, this.#transport, execPath(pod, { container, command }), {
        ...options,
        timeoutMilliseconds: this.#timeoutMilliseconds,
      }),
    );
  }

  raw(
    method: WireRequest["method"],
    path: string,
    options: {
      readonly body?: unknown;
      readonly contentType?: string;
      readonly accept?: string;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<unknown> {
    return this.#calls.json({
      verb: "raw",
      method,
      path,
      accept: options.accept ?? ACCEPTS.object,
      contentType: options.contentType,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal,
      repeatable: method === "GET",
      write: method !== "GET",
    });
  }

  close(): void {
    this.#transport.close();
  }

  async #write(
    verb: Verb,
    resource: Resource,
    method: WireRequest["method"],
    path: string,
    body: unknown,
    options: WriteOptions,
    how: Pick<Call, "contentType" | "repeatable" | "tests">,
  ): Promise<KubeObject> {
    const answer = await this.#calls.json({
      verb,
      method,
      path: path + writeQuery(options),
      accept: options.metadataOnly ? ACCEPTS.metadata : ACCEPTS.object,
      body: JSON.stringify(body),
      signal: options.signal,
      write: true,
      ...how,
    });
    if (!isObject(answer)) throw foreignAnswer(`${method} ${path}`, "no object");
    return options.metadataOnly ? nameKind(answer, resource, apiVersionOf(resource)) : answer;
  }
}

function namespaceOf(resource: Resource, body: KubeObject): string | undefined {
  if (resource.scope === "Cluster") return undefined;
  const { namespace } = body.metadata;
  if (namespace === undefined)
    throw new TypeError(`${resource.kind} ${body.metadata.name} lies in a namespace: name it`);
  return namespace;
}
