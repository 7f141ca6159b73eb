import type { KubeObject } from "./object.ts";

/** A REST resource: where requests about a kind go. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  /** The versions that will do, the best first: the first that the server offers is used. Absent: `version` alone. */
  readonly versions?: readonly string[] | undefined;
  readonly kind: string;
  /** The path segment, for example `deployments`. */
  readonly plural: string;
  readonly scope: "Namespaced" | "Cluster";
}

/** The place of an object within its cluster. `namespace` is absent for cluster-scoped resources. */
export interface Place {
  readonly namespace?: string | undefined;
  readonly name: string;
}

export interface ListOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly limit?: number | undefined;
  /**
   * The most that the answer may weigh (`weightOf`): a heavier one is refused with `KUBE_TOO_LARGE`, before it is parsed.
   * Default: as any answer.
   */
  readonly mostWeight?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
  /** Ask for PartialObjectMetadata: no spec, no status. */
  readonly metadataOnly?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ListPage<O extends KubeObject = KubeObject> {
  readonly items: readonly O[];
  /** The weight of the answer (`weightOf`); absent where it is not known. */
  readonly weight?: number | undefined;
  /** The list began anew here, since its token expired: what came before may be out of date, and comes again where it is not. */
  readonly restarted?: true | undefined;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string | undefined;
    readonly remainingItemCount?: number | undefined;
  };
}

export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  /** For ERROR a `Status`. */
  readonly object: KubeObject;
}

export interface WatchOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** The version to go on from. Required: a watch without it has no defined beginning. */
  readonly resourceVersion: string;
  readonly metadataOnly?: boolean | undefined;
  readonly timeoutSeconds?: number | undefined;
  /** Ends the stream with `silent` when no byte came for so long. */
  readonly silenceMilliseconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called for each line in order, synchronously, while it is read: it must not block. */
  readonly onEvent: (event: WatchEvent) => void;
  /**
   * Called with each line before it is parsed, by a client that reads lines. True: it is taken, and comes to `onEvent` only where
   * `tell` is called, perhaps later, which throws where it is no JSON.
   */
  readonly onLine?: ((line: string, tell: () => void) => boolean) | undefined;
  /** Called once the server has answered 200. */
  readonly onOpen?: (() => void) | undefined;
}

/** The end of a watch: a clean end of the body, a broken connection, silence, or our own abort. */
export interface WatchEnd {
  readonly reason: "closed" | "broken" | "silent" | "aborted";
  readonly error?: Error | undefined;
}

export interface WriteOptions {
  readonly fieldManager: string;
  readonly dryRun?: boolean | undefined;
  readonly subresource?: "status" | "scale" | undefined;
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore" | undefined;
  /** Ask for the answer's metadata alone: enough for uid, version and managed fields. */
  readonly metadataOnly?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `json`: RFC 6902; `merge`: RFC 7386; `strategic`: built-in kinds only. */
export type PatchType = "json" | "merge" | "strategic";

export interface DeleteOptions {
  /** Always sent: a re-created object of the same name survives. Undefined only where the caller means the name itself. */
  readonly uid: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The bounds of a command in a container. */
export interface ExecOptions {
  /** The most bytes that it may print. */
  readonly maximumBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The light client. Every method throws a `KubeError` (errors.ts) when the server refuses, and waits and retries by itself
 * only for 429 with Retry-After and for a kept connection that died under an idempotent request.
 */
export interface KubeClient {
  /** Undefined where the server says 404 for the object; a 404 for the kind itself throws `KubeError` with `kindMissing`. */
  get(
    resource: Resource,
    place: Place,
    options?: {
      readonly resourceVersion?: string;
      readonly metadataOnly?: boolean;
      readonly signal?: AbortSignal;
    },
  ): Promise<KubeObject | undefined>;
  list(resource: Resource, options?: ListOptions): Promise<ListPage>;
  /**
   * All pages, `limit` at a time; without one few at first, then as many (500 at most) as an answer should hold by what came. A page
   * that is too large is asked for in smaller ones. A continue token that expired restarts the list once, and the page says so.
   */
  pages(resource: Resource, options?: ListOptions): AsyncGenerator<ListPage, void, void>;
  /** Resolves when the stream ends; throws a `KubeError` when it was refused (410, 403, 404, 429, …). */
  watch(resource: Resource, options: WatchOptions): Promise<WatchEnd>;
  /** Server-side apply. `body.metadata.uid` and `.resourceVersion` are preconditions where given. */
  apply(
    resource: Resource,
    place: Place,
    body: KubeObject,
    options: WriteOptions & { readonly force?: boolean | undefined },
  ): Promise<KubeObject>;
  create(resource: Resource, body: KubeObject, options: WriteOptions): Promise<KubeObject>;
  patch(
    resource: Resource,
    place: Place,
    type: PatchType,
    body: unknown,
    options: WriteOptions,
  ): Promise<KubeObject>;
  replace(resource: Resource, place: Place, body: KubeObject, options: WriteOptions): Promise<KubeObject>;
  /** Resolves with the object where finalizers keep it, with undefined where it is gone or was not there. */
  delete(resource: Resource, place: Place, options: DeleteOptions): Promise<KubeObject | undefined>;
  /** The resources that the server offers for a group and version; empty where it does not know them. */
  discover(group: string, version: string): Promise<readonly Resource[]>;
  /** Any other request, parsed as JSON; for `/version`, access reviews and the like. */
  raw(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    options?: {
      readonly body?: unknown;
      readonly contentType?: string;
      readonly accept?: string;
      readonly signal?: AbortSignal;
    },
  ): Promise<unknown>;
  /**
   * Runs a command in a container of a Pod (`pods/exec`) and resolves when it ends. Throws a `KubeError`; one of the kind `invalid` where
   * it prints too much.
   */
  exec(
    pod: Place,
    container: string,
    command: readonly string[],
    options: ExecOptions,
  ): Promise<{ readonly exitCode: number; readonly stdout: Uint8Array }>;
  /** Requests sent since the start, by verb (`get`, `list`, `watch`, `apply`, `create`, `patch`, `replace`, `delete`, `raw`, `exec`): tests bound them. */
  readonly requests: Readonly<Record<string, number>>;
  /** Answers since the start, by verb and HTTP code: `get 200`; the code is 0 where none came. For metrics. */
  readonly answers?: Readonly<Record<string, number>>;
  close(): void;
}
