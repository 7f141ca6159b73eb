import { setTimeout as pause } from "node:timers/promises";
import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { type NatsServer, startNatsServer } from "../../infra/testing/nats-server.ts";
import { manualClock, type SettlingClock } from "../../infra/testing/settling-clock.ts";
import { type NatsBus, natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { dueOf, type StateRecord } from "../../shared/bus/nats/store.ts";
import { type BusRequest, type BusUnderTest, F } from "./fixture.ts";
import { LEASE } from "./stage.ts";

/** As short as the server allows: its own clock counts it. */
const LEASE_MILLISECONDS = 3_000;
const FUNCTIONS = [F, "other"];
/** All is at rest when nobody has said anything for so long, and nothing is owed. */
const SILENCE_MILLISECONDS = 15;
const PATIENCE_MILLISECONDS = 15_000;
/** The server announces within a second of what it was told, and half of one. */
const HINT_MILLISECONDS = 4_000;

/** A server, and the installations on it: one for each test. */
export interface NatsStage {
  readonly server: NatsServer;
  clock(): SettlingClock;
  makeBus(request: BusRequest): Promise<BusUnderTest>;
  stop(): Promise<void>;
}

/** What one test has on the server. */
interface Installation {
  readonly prefix: string;
  readonly living: Set<NatsBus>;
  readonly dead: Set<string>;
  /** Of the living: how many keys may run at once, over all. */
  slots: Map<NatsBus, number>;
}

export async function startNatsStage(): Promise<NatsStage> {
  const server = await startNatsServer();
  const connection = await connect({ servers: server.url });
  const manager = await jetstreamManager(connection);
  let number = 0;
  let installation: Installation | undefined;

  const opened = async (request: BusRequest, on: Installation): Promise<BusUnderTest> => {
    const { route, retry, clock, history } = request;
    const bus = await openNatsBus({
      nats: natsOptions.parse({
        servers: [server.url],
        prefix: on.prefix,
        leaseMilliseconds: LEASE_MILLISECONDS,
        // The server sets aside all that a stream may need.
        maximumBytes: 16 * 1024 * 1024,
        history: { ...history, maximumBytes: 16 * 1024 * 1024 },
      }),
      functions: FUNCTIONS,
      route,
      retry,
      clock,
      random: () => 0,
    });
    on.living.add(bus);
    const consume = bus.consume.bind(bus);
    bus.consume = (options, work) => {
      const consumer = consume(options, work);
      on.slots.set(bus, (on.slots.get(bus) ?? 0) + options.parallel);
      const stop = consumer.stop.bind(consumer);
      consumer.stop = async (milliseconds) => {
        on.slots.set(bus, (on.slots.get(bus) ?? 0) - options.parallel);
        await stop(milliseconds);
      };
      return consumer;
    };
    const close = bus.close.bind(bus);
    const gone = (): void => {
      on.living.delete(bus);
      on.slots.delete(bus);
    };
    bus.close = async () => {
      await close();
      gone();
    };
    const open = (): Promise<BusUnderTest> => opened(request, on);
    return {
      bus,
      reopen: open,
      beside: open,
      kill: () => {
        on.dead.add(bus.host);
        bus.abandon();
        gone();
      },
    };
  };

  return {
    server,
    clock() {
      const on: Installation = {
        prefix: `t${++number}`,
        living: new Set(),
        dead: new Set(),
        slots: new Map(),
      };
      installation = on;
      const clock = manualClock(undefined, (now) => rest(manager, on, now));
      return {
        ...clock,
        get alarms() {
          return clock.alarms;
        },
        async advance(milliseconds) {
          await clock.advance(milliseconds);
          // A lease is counted by the server: who died is known to be dead when its time is over.
          if (milliseconds >= LEASE && on.dead.size > 0 && on.slots.size > 0)
            await untilGivenBack(manager, on);
        },
      };
    },
    makeBus(request) {
      if (installation === undefined) throw new Error("a bus without a clock");
      return opened(request, installation);
    },
    async stop() {
      await connection.close();
      await server.stop();
    },
  };
}

async function recordsOf(
  manager: JetStreamManager,
  { prefix }: Installation,
): Promise<readonly StateRecord[]> {
  const stream = `${prefix}-state`;
  const records: StateRecord[] = [];
  const { state } = await manager.streams.info(stream);
  if (state.messages === 0) return [];
  for await (const message of await manager.direct.getBatch(stream, {
    seq: 1,
    next_by_subj: `${prefix}.x.>`,
    batch: 1_000,
  }))
    records.push(message.json<StateRecord>());
  return records;
}

/** Waits until nothing is under way: no request without an answer, no message that somebody asks for, no overdue timer. */
async function rest(manager: JetStreamManager, on: Installation, now: number): Promise<void> {
  const until = performance.now() + PATIENCE_MILLISECONDS;
  const hintUntil = performance.now() + HINT_MILLISECONDS;
  const said = (): number => [...on.living].reduce((sum, bus) => sum + bus.traffic().messages, 0);
  const owed = (): boolean => [...on.living].some((bus) => bus.traffic().unanswered > 0);
  for (; performance.now() < until; ) {
    const before = said();
    await pause(SILENCE_MILLISECONDS);
    if (owed() || said() !== before) continue;
    if (on.living.size === 0) return;
    if (await isBusy(manager, on)) continue;
    if (said() !== before) continue;
    if (performance.now() < hintUntil && (await isOverdue(manager, on, now))) continue;
    return;
  }
  throw new Error("the bus does not come to rest");
}

/** True where a consumer holds messages that somebody waits for. */
async function isBusy(manager: JetStreamManager, on: Installation): Promise<boolean> {
  if ([...on.slots.values()].every((slots) => slots === 0)) return false;
  for (const stream of [`${on.prefix}-work`, `${on.prefix}-state`])
    for await (const { num_pending: pending, num_waiting: waiting } of manager.consumers.list(stream))
      if (pending > 0 && waiting > 0) return true;
  return false;
}

/** True where a key is due that somebody has room for. */
async function isOverdue(manager: JetStreamManager, on: Installation, now: number): Promise<boolean> {
  const slots = [...on.slots.values()].reduce((sum, each) => sum + each, 0);
  if (slots === 0) return false;
  const records = await recordsOf(manager, on);
  const running = records.filter(({ state }) => state.running !== undefined).length;
  return (
    running < slots &&
    records.some(({ state }) => state.running === undefined && (dueOf(state) ?? Infinity) <= now)
  );
}

async function untilGivenBack(manager: JetStreamManager, on: Installation): Promise<void> {
  for (const until = performance.now() + PATIENCE_MILLISECONDS; performance.now() < until; ) {
    const records = await recordsOf(manager, on);
    if (!records.some(({ owner, state }) => state.running !== undefined && on.dead.has(owner ?? ""))) return;
    await pause(50);
  }
  throw new Error("what a dead host held is not given back");
}
