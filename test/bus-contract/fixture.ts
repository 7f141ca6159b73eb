import assert from "node:assert/strict";
import type { Envelope, Lane } from "../../events/index.ts";
import type { SettlingClock } from "../../infra/testing/settling-clock.ts";
import type {
  Bus,
  Consumer,
  Echo,
  Failed,
  Finished,
  Lease,
  Parked,
  Route,
  RunEnding,
} from "../../shared/bus/contract.ts";
import type { Cause, CauseSort, NewItem, WorkItem } from "../../shared/bus/item.ts";
import type { RetryPolicy } from "../../shared/bus/retry.ts";
import type { RunRecord } from "../../shared/bus/run-record.ts";

/** What the suite asks an adapter for. */
export interface BusRequest {
  readonly clock: SettlingClock;
  readonly route: Route;
  readonly retry: RetryPolicy;
  readonly leaseMilliseconds: number;
  readonly history: { readonly maximumAgeMilliseconds: number; readonly maximumRuns: number };
}

/** An adapter under test. */
export interface BusUnderTest {
  readonly bus: Bus;
  /** The bus of another process, after this one was closed or killed; undefined where nothing outlives the process. */
  readonly reopen: (() => Promise<BusUnderTest>) | undefined;
  /** A second process on the same bus, at the same time; undefined where there cannot be one. */
  readonly beside: (() => Promise<BusUnderTest>) | undefined;
  /** Ends it as kill -9 would. */
  kill(): void;
}
export type MakeBus = (request: BusRequest) => Promise<BusUnderTest>;

export const F = "widget";
export const keyOf = (name: string): { readonly function: string; readonly key: string } => ({
  function: F,
  key: name,
});

let number = 0;
/** A change of the object `name`; what is given replaces what is made up. */
export function changed(
  name: string,
  over: {
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly lane?: Lane;
    readonly id?: string;
    readonly differs?: readonly string[];
    readonly namespace?: string;
  } = {},
): Envelope {
  number += 1;
  const {
    id = `event-${number}`,
    uid = `uid-${name}`,
    resourceVersion = String(1000 + number),
    lane = "urgent",
  } = over;
  const namespace = over.namespace ?? "default";
  return {
    specversion: "1.0",
    id,
    type: "resource.changed",
    source: "/clusters/local",
    subject: `bench.example.org/Widget/${namespace}/${name}`,
    time: "2026-01-15T10:00:00.000Z",
    datacontenttype: "application/json",
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    data: {
      ref: {
        cluster: "local",
        group: "bench.example.org",
        version: "v1",
        kind: "Widget",
        namespace,
        name,
        uid,
      },
      era: 0,
      resourceVersion,
      generation: over.generation ?? 1,
      lane,
      differs: over.differs ?? ["object"],
      facts: {},
      seen: [],
      incomplete: false,
      owners: [],
      deleting: false,
    },
  };
}

/** Sends each change of a Widget to the function `widget`, under the object's name; those in `elsewhere` to nobody. */
export const route: Route = (event) => {
  const data = event.data as {
    readonly ref: { readonly uid: string; readonly name: string; readonly namespace: string };
    readonly resourceVersion: string;
    readonly generation: number;
    readonly lane: Lane;
  };
  if (data.ref.namespace === "elsewhere") return [];
  if (data.ref.namespace === "unbearable") throw new Error("no route bears this");
  return [
    item(
      data.ref.name,
      {
        sort: "own",
        eventId: event.id,
        type: event.type,
        subject: event.subject,
        uid: data.ref.uid,
        resourceVersion: data.resourceVersion,
        generation: data.generation,
        at: event.time,
        traceparent: event.traceparent,
      },
      data.lane,
    ),
  ];
};

export function item(
  name: string,
  cause: Partial<Cause> & { readonly sort?: CauseSort } = {},
  lane: Lane = "urgent",
  over: Partial<NewItem> = {},
): NewItem {
  number += 1;
  return {
    ...keyOf(name),
    lane,
    cause: {
      sort: "own",
      eventId: `cause-${number}`,
      type: "resource.changed",
      revives: false,
      at: "2026-01-15T10:00:00.000Z",
      ...cause,
    },
    ...over,
  };
}

export const run = (of: WorkItem, over: Partial<RunRecord> = {}): RunRecord => {
  number += 1;
  return {
    id: `run-${number}`,
    function: of.function,
    key: of.key,
    lane: of.lane,
    attempt: of.attempt,
    startedAt: "2026-01-15T10:00:00.000Z",
    milliseconds: 1,
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b8-01",
    causes: of.causes,
    reads: [],
    writes: [],
    outcome: "done",
    waitingFor: [],
    deadlines: {},
    ...over,
  };
};
export const done = (of: WorkItem, over: Partial<Finished> = {}): Finished => ({
  state: "finished",
  echoes: [],
  waits: [],
  deadlines: {},
  net: undefined,
  again: false,
  enqueue: [],
  run: run(of),
  ...over,
});
export const failed = (of: WorkItem, over: Partial<Failed> = {}): Failed => ({
  state: "failed",
  error: { code: "BOOM", message: "it broke" },
  retryable: true,
  echoes: [],
  subjects: {},
  run: run(of, { outcome: "retry" }),
  ...over,
});
export const parked = (of: WorkItem, over: Partial<Parked> = {}): Parked => ({
  state: "parked",
  behind: "api",
  milliseconds: 20_000,
  error: { code: "CONNECTION_AWAY", message: "nobody answers" },
  echoes: [],
  run: run(of, { outcome: "away" }),
  ...over,
});
export const echo = (uid: string, resourceVersion: string): Echo => ({ uid, resourceVersion });

/** A run in progress: the test ends it. */
export interface Running {
  readonly lease: Lease;
  readonly item: WorkItem;
  end(ending: RunEnding): Promise<void>;
}

/** A consumer whose runs end when the test says so. It watches that no two runs of a key overlap. */
export class Hands {
  readonly consumer: Consumer;
  readonly #clock: SettlingClock;
  readonly #running: Running[] = [];
  /** Every item that was handed out, in order. */
  readonly taken: WorkItem[] = [];

  constructor(
    bus: Bus,
    clock: SettlingClock,
    options: { readonly parallel?: number; readonly functions?: readonly string[] } = {},
  ) {
    this.#clock = clock;
    this.consumer = bus.consume(
      { parallel: options.parallel ?? 4, functions: options.functions },
      (lease) => {
        const ending = Promise.withResolvers<RunEnding>();
        const { item: of } = lease;
        assert.ok(
          !this.#running.some(
            (other) => other.item.key === of.key && other.item.function === of.function && other.lease.held(),
          ),
          `two runs of ${of.key} at once`,
        );
        const running: Running = {
          lease,
          item: of,
          end: async (how) => {
            // What was published before has come to whoever runs the key.
            await clock.settle();
            this.#running.splice(this.#running.indexOf(running), 1);
            ending.resolve(how);
            await clock.settle();
          },
        };
        this.#running.push(running);
        this.taken.push(of);
        return ending.promise;
      },
    );
  }

  /** The runs in progress, once all has settled. */
  async running(): Promise<readonly Running[]> {
    await this.#clock.settle();
    return [...this.#running];
  }

  /** The one run in progress. */
  async only(): Promise<Running> {
    const [first, ...rest] = await this.running();
    assert.ok(first !== undefined, "nothing runs");
    assert.deepEqual(
      rest.map((other) => other.item.key),
      [],
      "more than one runs",
    );
    return first;
  }

  async none(): Promise<void> {
    assert.deepEqual(
      (await this.running()).map((other) => other.item.key),
      [],
    );
  }

  /** Ends what runs, and what comes after it, until nothing does. Returns how many there were. */
  async drain(): Promise<number> {
    let ended = 0;
    for (let running = await this.running(); running.length > 0; running = await this.running())
      for (const each of running) {
        await each.end(done(each.item));
        ended += 1;
      }
    return ended;
  }
}
