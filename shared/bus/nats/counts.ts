import type { JetStreamManager } from "@nats-io/jetstream";
import type { Clock } from "../../clock/clock.ts";
import type { FunctionCounts } from "../contract.ts";
import { noCounts } from "../counts-of.ts";
import type { Names } from "./names.ts";
import { readable, type StateStore } from "./store.ts";
import { Forbidden, type Stored, type Wire } from "./wire.ts";
import { newsOf, workMessageOf } from "./work-message.ts";

type Counted = { -readonly [name in keyof FunctionCounts]: number };
/**
 * Counts by function, from what the server keeps. Waiting items are counted by subject; only those of keys that run or have run
 * just now are read, and the oldest one of each function.
 */
export function openCounts(parts: {
  readonly wire: Wire;
  readonly names: Names;
  readonly manager: JetStreamManager;
  readonly states: StateStore;
  readonly clock: Clock;
  /** The functions that this process takes, and how many of their keys run here. */
  readonly running: () => ReadonlyMap<string, number>;
}): () => Promise<Readonly<Record<string, FunctionCounts>>> {
  const { wire, names, manager, states, clock } = parts;
  let mayReadAll = true;
  return async () => {
    if (mayReadAll)
      try {
        return await all();
      } catch (thrown) {
        if (!(thrown instanceof Forbidden)) throw thrown;
        mayReadAll = false;
      }
    return own();
  };

  /** The counts that a function's own user may know: the backlog of its consumers, and the runs here. */
  async function own(): Promise<Readonly<Record<string, FunctionCounts>>> {
    const counts: Record<string, FunctionCounts> = {};
    for (const [name, running] of parts.running()) {
      let held = 0;
      for (const lane of ["urgent", "sweep"] as const) {
        const { stream, name: consumer } = names.consumer(name, lane);
        const { num_pending: waiting, num_ack_pending: delivered } = await manager.consumers.info(
          stream,
          consumer,
        );
        held += waiting + delivered;
      }
      counts[name] = { ...noCounts, waiting: Math.max(0, held - running), running };
    }
    return counts;
  }

  async function all(): Promise<Readonly<Record<string, FunctionCounts>>> {
    const counts = new Map<string, Counted>();
    const of = (name: string): Counted => {
      const found = counts.get(name) ?? { ...noCounts };
      counts.set(name, found);
      return found;
    };
    const now = clock.now();
    /** Work subjects that the state accounts for wholly or in part, and up to which message. */
    const covered = new Map<string, number>();
    const waitingKeys = new Map<string, Set<string>>();
    const waits = (name: string, token: string, since: number): void => {
      const keys = waitingKeys.get(name) ?? new Set<string>();
      waitingKeys.set(name, keys.add(token));
      const counted = of(name);
      counted.oldest = Math.max(counted.oldest, now - since);
    };
    for await (const { record } of states.list()) {
      const { state } = record;
      const { waiting } = state;
      for (const [lane, seq] of Object.entries(record.covered))
        covered.set(names.waiting(record, lane === "sweep" ? "sweep" : "urgent"), seq);
      const backsOff = waiting !== undefined && state.attempts > 0 && waiting.notBefore > now;
      if (waiting !== undefined && !backsOff)
        waits(record.function, names.record(record).split(".").at(-1) ?? "", waiting.enqueuedAt);
      const deadlines = Object.keys(state.deadlines).length;
      if (state.running !== undefined) of(record.function).running += 1;
      if (backsOff) of(record.function).retrying += 1;
      if (state.dead !== undefined) of(record.function).dead += 1;
      if (state.waits.length > 0) of(record.function).parked += 1;
      if (waiting?.behind !== undefined) of(record.function).away += 1;
      if (deadlines > 0) of(record.function).deadlines += deadlines;
    }
    const { state } = await manager.streams.info(names.work, { subjects_filter: `${names.prefix}.w.>` });
    for (const subject of Object.keys(state.subjects ?? {})) {
      const { function: name, token } = names.partsOf(subject);
      const upTo = covered.get(subject);
      // What no state accounts for waits; of the rest the message says whether it brought more.
      const stored = upTo === undefined ? undefined : await wire.last(names.work, subject);
      if (upTo !== undefined) if (stored === undefined || newsIn(stored, upTo) === undefined) continue;
      waits(name, token, now);
    }
    for (const name of waitingKeys.keys()) {
      const oldest = await oldestOf(name);
      if (oldest !== undefined) of(name).oldest = Math.max(of(name).oldest, now - oldest);
    }
    for (const [name, keys] of waitingKeys) of(name).waiting = keys.size;
    return Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));

    async function oldestOf(name: string): Promise<number | undefined> {
      for await (const stored of wire.list(names.work, `${names.prefix}.w.${name}.>`, { pageSize: 50 })) {
        const news = newsIn(stored, covered.get(stored.subject) ?? 0);
        if (news !== undefined) return news.enqueuedAt;
      }
      return undefined;
    }
  }
}

/** The news of a message beyond what the state accounts for; none where it is a foreign message. */
const newsIn = (stored: Stored, upTo: number) =>
  readable(() => newsOf(workMessageOf(stored.body), stored.seq, upTo));
