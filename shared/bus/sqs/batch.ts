import type { Clock } from "../../clock/clock.ts";
import { messageOf as textOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Work } from "../contract.ts";
import { isSuspect } from "../waiting.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { Arrival, KeyRuns } from "./key-runs.ts";
import type { Holding } from "./leases.ts";
import { type Delivery, deathsOf, isNewer, readWork } from "./message.ts";

/** The messages of one key that were received together. */
export interface KeyBatch {
  readonly deliveries: readonly Delivery[];
  readonly arrivals: readonly Arrival[];
  /** It died with its hosts: nothing else may run beside it. */
  readonly suspect: boolean;
}

/** The messages by key, in the order in which they came; a foreign message stands alone. */
export function keyBatches(deliveries: readonly Delivery[]): readonly KeyBatch[] {
  const read = deliveries.map((delivery) => ({ delivery, work: readWork(delivery.body) }));
  const groups = Map.groupBy(read, ({ delivery, work }) =>
    work === undefined ? delivery.id : JSON.stringify([work.function, work.key]),
  );
  return [...groups.values()].map((group) => {
    const arrivals = group.flatMap(({ delivery, work }) => (work === undefined ? [] : { delivery, work }));
    const suspect = isSuspect({ deaths: deathsOf(arrivals) });
    return { deliveries: group.map(({ delivery }) => delivery), arrivals, suspect };
  });
}

export interface BatchParts {
  readonly runs: KeyRuns;
  readonly letters: DeadLetters;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * `done`: all that came of it is durable, its messages may be forgotten. `again`: the run lost its lease. `failed`: its end could
 * not be made durable, or it is not for this version.
 */
export type BatchEnding = "done" | "again" | "failed";

/** Runs one key for its messages. */
export async function runBatch(
  parts: BatchParts,
  batch: KeyBatch,
  holding: Holding,
  work: Work,
): Promise<BatchEnding> {
  const { runs, letters, clock, log } = parts;
  const [first] = batch.arrivals;
  if (batch.arrivals.some((arrival) => isNewer(arrival.work))) {
    log.error(
      { function: first?.work.function, key: first?.work.key },
      "a newer version of Reveille sent this item: it goes back, for a host of that version",
    );
    return "failed";
  }
  try {
    if (first !== undefined)
      return (await runs.run(first.work, batch.arrivals, holding, work)) ? "done" : "again";
    // It would come back for ever: it is kept where people look.
    await Promise.all(
      batch.deliveries.map(({ id, body }) =>
        letters.keepStrange({ id, text: body, where: "a work queue" }, clock.now()),
      ),
    );
    return "done";
  } catch (thrown) {
    log.error(
      { function: first?.work.function, key: first?.work.key, error: textOf(thrown) },
      "the end of a run could not be made durable; its messages come again",
    );
    return "failed";
  }
}
