import type { JetStreamManager } from "@nats-io/jetstream";
import type { Lane } from "../../../events/index.ts";
import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Names } from "./names.ts";
import { isDenied, isMissing } from "./streams.ts";
import { Forbidden, type Wire } from "./wire.ts";

const PAGE = 50;

/** The pauses between two looks, while what was brought back lies among work that is not acknowledged yet. */
const FIRST_MILLISECONDS = 1_000;
const LONGEST_MILLISECONDS = 60_000;

interface JanitorParts {
  readonly manager: JetStreamManager;
  readonly wire: Wire;
  readonly names: Names;
  readonly log: Log;
}

interface RepeatingParts extends JanitorParts {
  /** The clock of the pauses. */
  readonly clock: Clock;
}

/**
 * Removes what a killed server brought back: messages that were replaced and whose successors are done. They lie below what
 * the consumer has acknowledged, so nobody is given them, but they count as waiting. Only for streams of one server: copies
 * bring nothing back, and with a new leader what the consumer says and what the stream holds may be of different moments.
 *
 * One by one: a purge of the stream also takes from its consumers what was given back and waits to be delivered again.
 * @see https://github.com/nats-io/nats-server/issues/8505
 */
export class Janitor {
  readonly #parts: RepeatingParts;
  readonly #functions: readonly string[];
  #cancel: () => void = () => undefined;

  constructor(parts: RepeatingParts, functions: readonly string[]) {
    this.#parts = parts;
    this.#functions = functions;
  }

  /** Looks through the work of before this moment, again and again until all of it is acknowledged or gone. Never throws. */
  look(): void {
    this.close();
    let stopped = false;
    let cancelPause = (): void => undefined;
    this.#cancel = () => {
      stopped = true;
      cancelPause();
    };
    let upTo: number | undefined;
    const again = async (milliseconds: number): Promise<void> => {
      try {
        upTo ??= (await this.#parts.manager.streams.info(this.#parts.names.work)).state.last_seq;
        if (await sweepWork(this.#parts, this.#functions, upTo)) return;
      } catch (thrown) {
        if (isRefused(thrown)) return;
        this.#parts.log.debug(
          { error: messageOf(thrown) },
          "the work stream could not be scanned for acknowledged messages",
        );
      }
      if (stopped) return;
      const next = Math.min(milliseconds * 2, LONGEST_MILLISECONDS);
      cancelPause = this.#parts.clock.after(milliseconds, () => void again(next));
    };
    void again(FIRST_MILLISECONDS);
  }

  close(): void {
    this.#cancel();
  }
}

/**
 * Deletes what lies up to this message and below what its consumer has acknowledged. False where messages up to it wait for
 * somebody yet, among which may be some that were acknowledged apart, and where some could not be looked at.
 */
export async function sweepWork(
  parts: JanitorParts,
  functions: readonly string[],
  upTo: number,
): Promise<boolean> {
  let whole = true;
  for (const name of functions)
    for (const lane of ["urgent", "sweep"] as const)
      try {
        whole = (await sweepLane(parts, name, lane, upTo)) && whole;
      } catch (thrown) {
        const error = messageOf(thrown);
        parts.log.debug({ function: name, lane, error }, "acknowledged messages could not be looked for");
        // Without the right to look the counts may be too high, and nothing else.
        if (!isRefused(thrown)) whole = false;
      }
  return whole;
}

async function sweepLane(
  { manager, wire, names, log }: JanitorParts,
  name: string,
  lane: Lane,
  upTo: number,
): Promise<boolean> {
  const { stream, name: consumer, filter } = names.consumer(name, lane);
  const floor = await floorOf(manager, stream, consumer);
  // Without its consumer nothing is acknowledged: all of it waits.
  if (floor === undefined) return true;
  let messages = 0;
  let whole = true;
  for await (const { seq } of wire.list(stream, filter, { pageSize: PAGE })) {
    if (seq > upTo) break;
    if (seq > floor) {
      whole = false;
      break;
    }
    await manager.streams.deleteMessage(stream, seq, false);
    messages += 1;
  }
  if (messages > 0)
    log.info({ function: name, lane, messages }, "deleted acknowledged messages that the stream still held");
  return whole;
}

const isRefused = (thrown: unknown): boolean => thrown instanceof Forbidden || isDenied(thrown);

/** The last message up to which all is acknowledged; undefined where there is no such consumer. */
async function floorOf(
  manager: JetStreamManager,
  stream: string,
  consumer: string,
): Promise<number | undefined> {
  try {
    return (await manager.consumers.info(stream, consumer)).ack_floor.stream_seq;
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}
