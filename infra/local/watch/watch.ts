import type { KubeObject } from "../../../shared/kube/object.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { ApiError, expired, invalidOptions } from "../api-error.ts";
import { apiVersionOfType, type Kernel, spelled, storedUnder } from "../kernel.ts";
import type { ResourceType } from "../resource-type.ts";
import { isTrue } from "../rest/parameters.ts";
import { reached } from "../rest/version-wait.ts";
import { selectionOf } from "../select/selection.ts";
import type { StoredEvent } from "../store/store.ts";

/** The sink of a watch. */
export interface WatchSink {
  /** Sends the head of the answer. */
  open(): void;
  write(line: string): void;
  end(): void;
  /** Bytes that the reader has not taken yet. */
  readonly buffered: number;
  onClose(callback: () => void): void;
}
/** The form in which objects are shown: as they are, metadata only, as table rows. */
export type Show = (text: string) => string;

type Type = "ADDED" | "MODIFIED" | "DELETED";

const bookmarkEvery = 60_000;
const defaultTimeout = 45 * 60;
/** A reader that is so far behind is let go, as the real server does. */
const mostBuffered = 16 * 1024 * 1024;

const line = (type: string, object: string): string => `{"type":"${type}","object":${object}}\n`;

function requireOptions(query: URLSearchParams): void {
  const initial = query.get("sendInitialEvents");
  const match = query.get("resourceVersionMatch") ?? "";
  const errors: FieldError[] = [];
  if (initial === null && match !== "") {
    errors.push(
      fault.forbidden(
        "resourceVersionMatch",
        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
      ),
    );
  } else if (initial !== null && match !== "NotOlderThan") {
    errors.push(
      fault.forbidden(
        "resourceVersionMatch",
        "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
      ),
    );
  }
  if (errors.length > 0) throw invalidOptions("ListOptions", errors);
}

/** The version to watch from. The real server answers 500 to what is no number. */
function startOf(query: URLSearchParams): number | undefined {
  const text = query.get("resourceVersion") ?? "";
  if (text === "") return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw new ApiError(
    500,
    undefined,
    `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

/** Serves one watch until it ends. Throws what is to be answered instead of a stream. */
export function watch(
  kernel: Kernel,
  type: ResourceType,
  namespace: string | undefined,
  query: URLSearchParams,
  show: Show,
  sink: WatchSink,
): void {
  requireOptions(query);
  const start = startOf(query);
  const stream = new Stream(kernel, type, namespace, query, show, sink);
  const initial = query.get("sendInitialEvents");
  sink.open();
  if (isTrue(initial)) {
    reached(kernel, start).then(
      () => stream.begin({ initial: true, marked: true, from: kernel.store.version }),
      (error: unknown) => stream.fail(error),
    );
  } else if (start === undefined || start === 0) {
    stream.begin({ initial: initial === null || isTrue(initial), marked: false, from: kernel.store.version });
  } else stream.begin({ initial: false, marked: false, from: start });
}

class Stream {
  readonly #kernel: Kernel;
  readonly #type: ResourceType;
  readonly #prefix: string;
  readonly #matches: ((object: KubeObject) => boolean) | undefined;
  readonly #show: Show;
  readonly #sink: WatchSink;
  readonly #bookmarks: boolean;
  readonly #cleanups: (() => void)[] = [];
  readonly #timeout: number;
  #from = 0;
  #ended = false;

  constructor(
    kernel: Kernel,
    type: ResourceType,
    namespace: string | undefined,
    query: URLSearchParams,
    show: Show,
    sink: WatchSink,
  ) {
    this.#kernel = kernel;
    this.#type = type;
    this.#prefix = type.namespaced && namespace !== undefined ? `${namespace}/` : "";
    this.#matches = selectionOf(type, query).matches;
    this.#show = show;
    this.#sink = sink;
    this.#bookmarks = isTrue(query.get("allowWatchBookmarks"));
    const timeout = Number(query.get("timeoutSeconds") ?? 0);
    this.#timeout = timeout > 0 ? timeout : defaultTimeout;
    sink.onClose(() => this.#end());
  }

  begin({
    initial,
    marked,
    from,
  }: {
    readonly initial: boolean;
    readonly marked: boolean;
    readonly from: number;
  }): void {
    if (this.#ended) return;
    const { store, hub, clock } = this.#kernel;
    const resource = storedUnder(this.#type);
    this.#from = from;
    const oldest = Math.max(store.trimmed, hub.floor(resource));
    if (from < oldest) {
      this.fail(expired(`too old resource version: ${from} (${oldest})`));
      return;
    }
    if (initial) this.#sendState(resource);
    if (initial && marked && this.#bookmarks) this.#bookmark(true);
    for (const event of from < store.version ? store.since(resource, from) : []) this.event(event);
    // Set up last: what is stored meanwhile cannot be missed, since nothing here waits.
    this.#cleanups.push(
      hub.subscribe(resource, this),
      clock.after(this.#timeout * 1000, () => this.end()),
    );
    if (!this.#bookmarks) return;
    this.#bookmarkLater(bookmarkEvery);
    if (this.#timeout > 10)
      this.#cleanups.push(clock.after((this.#timeout - 2) * 1000, () => this.#bookmark(false)));
  }

  /** Ends the stream with an ERROR event. */
  fail(error: unknown): void {
    if (this.#ended) return;
    if (!(error instanceof ApiError)) throw error;
    this.#sink.write(line("ERROR", JSON.stringify(error.status)));
    this.end();
  }

  event(event: StoredEvent): void {
    if (this.#ended || event.resourceVersion <= this.#from || !event.key.startsWith(this.#prefix)) return;
    const change = this.#changeOf(event);
    if (change === undefined) return;
    this.#write(line(change.type, this.#show(spelled(this.#type, change.text))));
  }

  end(): void {
    if (this.#ended) return;
    this.#end();
    this.#sink.end();
  }

  #end(): void {
    this.#ended = true;
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }

  #write(text: string): void {
    this.#sink.write(text);
    if (this.#sink.buffered > mostBuffered) this.end();
  }

  /** The meaning of a change for a watch with a selector: an object that leaves is deleted, one that enters is added. */
  #changeOf(event: StoredEvent): { readonly type: Type; readonly text: string } | undefined {
    if (this.#matches === undefined) return { type: event.type, text: event.text };
    const is = event.type !== "DELETED" && this.#matches(this.#seen(event.object));
    const was = event.previous !== undefined && this.#matches(this.#seen(event.previous));
    if (is) return { type: was ? "MODIFIED" : "ADDED", text: event.text };
    if (!was) return undefined;
    if (event.type === "DELETED") return { type: "DELETED", text: event.text };
    const left = {
      ...event.previous,
      metadata: { ...event.previous?.metadata, resourceVersion: String(event.resourceVersion) },
    };
    return { type: "DELETED", text: JSON.stringify(left) };
  }

  #seen(object: KubeObject): KubeObject {
    return this.#type.storedAs === undefined ? object : this.#type.storedAs.read(object);
  }

  #sendState(resource: string): void {
    const { store } = this.#kernel;
    for (const { text } of store.scan(resource, this.#prefix, "", store.version)) {
      const shown = spelled(this.#type, text);
      if (this.#matches !== undefined && !this.#matches(JSON.parse(shown) as KubeObject)) continue;
      this.#sink.write(line("ADDED", this.#show(shown)));
    }
  }

  #bookmark(endOfInitial: boolean): void {
    // Before its first version a watch from the future has nothing to say.
    if (this.#ended || this.#kernel.store.version < this.#from) return;
    const object = {
      apiVersion: apiVersionOfType(this.#type),
      kind: this.#type.kind,
      metadata: {
        resourceVersion: String(this.#kernel.store.version),
        ...(endOfInitial ? { annotations: { "k8s.io/initial-events-end": "true" } } : {}),
      },
    };
    this.#write(line("BOOKMARK", this.#show(JSON.stringify(object))));
  }

  #bookmarkLater(milliseconds: number): void {
    const cancel = this.#kernel.clock.after(milliseconds, () => {
      this.#cleanups.splice(this.#cleanups.indexOf(cancel), 1);
      this.#bookmark(false);
      if (!this.#ended) this.#bookmarkLater(bookmarkEvery);
    });
    this.#cleanups.push(cancel);
  }
}
