import type { TestContext } from "vitest";
import type { Envelope, ResourceChanged } from "../../events/index.ts";
import { OwnWrites, type Sending } from "../../shared/hints/own-writes.ts";
import type { KubeClient, WatchEnd, WatchOptions } from "../../shared/kube/client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { silent } from "../../shared/log/log.ts";
import type { SeenInAnswer } from "../watcher/index.ts";
import { startWatcher, type Watcher } from "../watcher/index.ts";
import { ManualClock } from "./manual-clock.ts";
import { short, widgets } from "./watched-cluster.ts";

/** A write of a function that is on its way. */
export interface Pending {
  readonly name: string;
  readonly fence: string;
  readonly sending: Sending;
  /** The object as the server answers it; undefined before it took the write, and where it refused. */
  answer: KubeObject | undefined;
}

const OBJECTS = ["a", "b"] as const;

/** A server of two Widgets, the watcher of one process, and the functions beside it, each step by hand. */
export class EchoStage {
  readonly clock = new ManualClock();
  readonly own = new OwnWrites<SeenInAnswer>();
  readonly objects = new Map<string, KubeObject>();
  /** Lines of the watch that did not come yet. */
  readonly lines: string[] = [];
  readonly told: Envelope[] = [];
  readonly leftOut: string[] = [];
  /** Decides where an event leads, besides the writer's key. */
  othersHear: (event: Envelope) => boolean = () => false;
  /** All that the server ever told, oldest first. */
  readonly history: { readonly version: number; readonly line: string }[] = [];
  watcher: Watcher;
  #version = 100;
  #uids = 0;
  #stream: { readonly options: WatchOptions; readonly end: (end: WatchEnd) => void } | undefined;

  constructor(t: Pick<TestContext, "onTestFinished"> | undefined) {
    for (const name of OBJECTS) this.create(name);
    this.lines.length = 0;
    this.watcher = this.#watch();
    t?.onTestFinished(() => this.watcher.stop());
  }

  get isStreaming(): boolean {
    return this.#stream !== undefined;
  }

  /** Lets everything go on that needs no step. */
  async turn(): Promise<void> {
    for (let each = 0; each < 6; each++) await new Promise((resolve) => setImmediate(resolve));
  }

  create(name: string): void {
    this.#put("ADDED", name, { uid: `uid-${++this.#uids}`, generation: 1 }, { value: 0 }, undefined);
  }

  /** Somebody else changes the spec. */
  change(name: string): KubeObject {
    const before = this.#object(name);
    const { uid, generation = 1 } = before.metadata;
    const { value } = before.spec as { value: number };
    return this.#put(
      "MODIFIED",
      name,
      { uid, generation: generation + 1 },
      { value: value + 1 },
      before.status,
    );
  }

  remove(name: string): void {
    const before = this.#object(name);
    this.objects.delete(name);
    this.#tell("DELETED", {
      ...before,
      metadata: { ...before.metadata, resourceVersion: String(++this.#version) },
    });
  }

  /** The run of a key sends a status, fenced with the version that the server has now. */
  send(name: string, run = this.own.run({ function: "widget", key: name })): Pending {
    const { uid = "", resourceVersion: fence = "" } = this.#object(name).metadata;
    return { name, fence, sending: run.sends(uid), answer: undefined };
  }

  /** The server takes a write, or refuses it as stale. */
  land(pending: Pending, status: object = { doubled: this.#version }): boolean {
    const before = this.objects.get(pending.name);
    if (before?.metadata.resourceVersion !== pending.fence) return false;
    const { uid, generation } = before.metadata;
    pending.answer = this.#put("MODIFIED", pending.name, { uid, generation }, before.spec, status);
    return true;
  }

  /** The answer of a write comes. */
  answer({ sending, answer }: Pending): void {
    if (answer !== undefined) sending.wrote(answer);
    sending.ended();
  }

  /** The next line comes. */
  read(): boolean {
    const stream = this.#stream;
    const line = stream === undefined ? undefined : this.lines.shift();
    if (stream === undefined || line === undefined) return false;
    const tell = (): void => stream.options.onEvent(JSON.parse(line));
    if (stream.options.onLine?.(line, tell) !== true) tell();
    return true;
  }

  readAll(): void {
    while (this.read());
  }

  /** The connection breaks; it is opened again where the watcher asks. */
  break(): void {
    this.#stream?.end({ reason: "closed" });
  }

  get published(): string | undefined {
    return this.watcher.position().streams[0]?.published;
  }
  get dropped(): number {
    return this.watcher.position().counters.echoesDropped;
  }
  take(): string[] {
    return this.told.splice(0).map((event) => `${short(event)} ${versionOf(event)}`);
  }

  #object(name: string): KubeObject {
    const object = this.objects.get(name);
    if (object === undefined) throw new Error(`${name} is not there`);
    return object;
  }

  #put(
    type: "ADDED" | "MODIFIED",
    name: string,
    { uid, generation }: { readonly uid: string | undefined; readonly generation: number | undefined },
    spec: unknown,
    status: unknown,
  ): KubeObject {
    const object: KubeObject = {
      apiVersion: "bench.example.org/v1",
      kind: "Widget",
      metadata: { generation, name, namespace: "default", resourceVersion: String(++this.#version), uid },
      spec,
      status,
    };
    this.objects.set(name, object);
    this.#tell(type, object);
    return object;
  }

  #tell(type: string, object: KubeObject): void {
    const line = JSON.stringify({ type, object });
    this.history.push({ version: this.#version, line });
    this.lines.push(line);
  }

  #watch(): Watcher {
    const { own, clock } = this;
    const client: Partial<KubeClient> = {
      list: async () => ({
        items: structuredClone([...this.objects.values()]),
        weight: 1,
        metadata: { resourceVersion: String(this.#version) },
      }),
      watch: (_, options) =>
        new Promise((resolve) => {
          const end = (how: WatchEnd): void => {
            this.#stream = undefined;
            resolve(how);
          };
          options.signal?.addEventListener("abort", () => end({ reason: "aborted" }), { once: true });
          this.#stream = { options, end };
          const after = Number(options.resourceVersion);
          this.lines.splice(
            0,
            this.lines.length,
            ...this.history.filter(({ version }) => version > after).map(({ line }) => line),
          );
          options.onOpen?.();
        }),
    };
    return startWatcher({
      // What a watcher asks for without a Lease and selectors.
      client: client as KubeClient,
      cluster: { name: "test-12345678" },
      watchList: { kinds: [widgets] },
      ledger: { file: ":memory:" },
      publish: async (events) => void this.told.push(...events),
      clock,
      log: silent,
      identity: "one",
      lease: false,
      random: () => 0.5,
      beside: {
        own,
        leadsOnlyTo: (event, by) => !this.othersHear(event) && nameOf(event) === by.key,
        leftOut: ({ subject, resourceVersion }) => void this.leftOut.push(`${subject} ${resourceVersion}`),
      },
    });
  }
}

const nameOf = (event: Envelope): string => (event.data as ResourceChanged["data"]).ref.name;
/** The version that an event tells. */
export const versionOf = (event: Envelope): string => (event.data as ResourceChanged["data"]).resourceVersion;
