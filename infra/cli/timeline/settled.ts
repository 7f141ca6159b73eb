import type { FunctionCounts } from "../../../shared/bus/contract.ts";
import type { RunRecord } from "../../../shared/bus/run-record.ts";
import type { Clock } from "../../../shared/clock/clock.ts";
import { COMMANDS } from "../../../shared/function/commands.ts";
import { functionsOf } from "../../systems/declared.ts";
import type { Stack } from "../dev/stack.ts";
import { describeWorkKey } from "./describe.ts";
import { unfollowed } from "./unfollowed.ts";

export interface Settled {
  /** True: no work, no dirty keys, no retry, no deadline soon. False: the limit was reached first. */
  readonly settled: boolean;
  /** The parts that still move, or the faults although nothing moves. */
  readonly reasons: readonly string[];
}

export interface SettledOptions {
  readonly clock: Clock;
  /** Give up after so long; absent: never. */
  readonly limitMilliseconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const LOOK_EVERY = 100;
/** Simulated Pods become ready a second after they were made, and nobody but them knows. */
const QUIET = 1_300;
const QUIET_WHILE_WAITING = 3_000;
/** A deadline further away than this is the behaviour at rest. */
const SOON = 10_000;

/** Follows what happens from its making on. */
export interface Rest {
  /** Resolves when nothing moves any more; rejects when the signal is aborted. */
  settled(options: SettledOptions): Promise<Settled>;
  /** Resolves when something happens after the last rest. */
  moved(signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** The parts of a stack that may move. */
type Moving = Pick<Stack, "bus" | "watcher" | "systems" | "idle">;

/**
 * Follows what moves from now on.
 * @param quiet for so long nothing may have happened, in milliseconds, in general and while something is waited for
 */
export function watchRest(
  stack: Moving,
  clock: Clock,
  quiet = { always: QUIET, whileWaiting: QUIET_WHILE_WAITING },
): Rest {
  let last = clock.now();
  let wake: (() => void) | undefined;
  const deadlines = new Map<string, RunRecord["deadlines"]>();
  const move = (): void => {
    last = clock.now();
    wake?.();
  };
  const stop = stack.bus.subscribe({
    published: move,
    ran: (run) => {
      deadlines.set(`${run.function} ${run.key}`, run.deadlines);
      move();
    },
  });
  const soon = (): readonly string[] =>
    [...deadlines].flatMap(([key, named]) =>
      Object.entries(named).flatMap(([name, at]) => {
        const away = Date.parse(at) - clock.now();
        return away > 0 && away < SOON ? [`${key}: deadline ${name} at ${at}`] : [];
      }),
    );
  const look = async (mayEnd: boolean): Promise<readonly string[]> => {
    const counts = await stack.bus.counts();
    const position = stack.watcher.position();
    const { dirty } = position;
    const here = new Set([...functionsOf(stack.systems).map(({ name }) => name), COMMANDS]);
    // Items of functions that do not run here rest until one does.
    const all = Object.entries(counts).filter(([name]) => here.has(name));
    const busy = all.flatMap(([name, one]) => busyReasons(name, one));
    if (dirty > 0) busy.push(`the watcher has ${dirty} keys to publish`);
    busy.push(...soon());
    // Who stays up shows what there is; who is about to end has seen nothing yet.
    if (mayEnd) busy.push(...unfollowed(position, stack.systems));
    if (busy.length > 0) return busy;
    const waits = all.some(([, one]) => one.parked > 0);
    if (clock.now() - last < (waits ? quiet.whileWaiting : quiet.always))
      return ["something happened just now"];
    return [];
  };
  return {
    async settled({ limitMilliseconds, signal }) {
      const until =
        limitMilliseconds === undefined ? Number.POSITIVE_INFINITY : clock.now() + limitMilliseconds;
      for (;;) {
        const moving = await look(limitMilliseconds !== undefined);
        if (moving.length === 0) {
          const before = last;
          await stack.idle();
          if (before === last)
            return {
              settled: true,
              reasons: [
                ...unfollowed(stack.watcher.position(), stack.systems),
                ...(await deadReasons(stack)),
              ],
            };
        } else if (clock.now() > until) return { settled: false, reasons: moving };
        await clock.sleep(LOOK_EVERY, signal);
      }
    },
    moved: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        wake = () => {
          wake = undefined;
          resolve();
        };
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      }),
    stop,
  };
}

const busyReasons = (name: string, { waiting, running, retrying }: FunctionCounts): string[] => [
  ...(waiting > 0 ? [`${name}: ${waiting} waiting`] : []),
  ...(running > 0 ? [`${name}: ${running} running`] : []),
  ...(retrying > 0 ? [`${name}: ${retrying} failed and will be tried again`] : []),
];

const deadReasons = async (stack: Pick<Stack, "bus">): Promise<readonly string[]> =>
  (await stack.bus.deadLetters.list()).map(
    (letter) => `${letter.function}: ${describeWorkKey(letter.key)} failed for good: ${letter.error.message}`,
  );
