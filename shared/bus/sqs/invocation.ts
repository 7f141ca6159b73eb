import { messageOf as textOf } from "../../errors.ts";
import type { Work } from "../contract.ts";
import { BusError } from "../errors.ts";
import { type BatchEnding, type BatchParts, type KeyBatch, keyBatches, runBatch } from "./batch.ts";
import { Holding } from "./leases.ts";
import { type Delivery, isNewer } from "./message.ts";
import type { Queues } from "./queues.ts";

/** The time for which a failed message stays here before it goes back: a table or a queue may recover meanwhile. */
const PAUSE_MILLISECONDS = 5_000;

/**
 * The time for which a received message is covered by its queue's visibility timeout, which is longer than any invocation by 30
 * s.
 */
const FRESH_MILLISECONDS = 10_000;
/** The time, beyond the invocation, for which messages are kept from others. */
const SPARE_SECONDS = 5;

export interface InvocationParts extends BatchParts {
  readonly queues: Queues;
  /** Sends what was received but not run, so that its deliveries are not counted as attempts. */
  readonly giveBack: (batch: KeyBatch) => Promise<void>;
}

interface Ended {
  readonly batch: KeyBatch;
  readonly ending: BatchEnding;
}

/**
 * Runs messages that Lambda received: all, or one key alone where its hosts died with it.
 * @param until milliseconds since the epoch: by then everything has to be over
 * @returns those that must come again
 * @throws BusError where none could be run: whoever counts the invocations that fail is to hear of it
 */
export async function runInvocation(
  parts: InvocationParts,
  deliveries: readonly Delivery[],
  work: Work,
  until: number,
): Promise<readonly Delivery[]> {
  const batches = keyBatches(deliveries);
  const suspect = batches.find((batch) => batch.suspect);
  const taken = suspect === undefined ? batches : [suspect];
  // Before it begins: what is gone by then does not die with it.
  const others = await leaveAlone(
    parts,
    batches.filter((batch) => !taken.includes(batch)),
  );
  const ended = await Promise.all(taken.map((batch) => runKey(parts, batch, work, until)));
  const failed = ended.filter(({ ending }) => ending === "failed").map(({ batch }) => batch);
  const lost = ended.filter(({ ending }) => ending === "again").map(({ batch }) => batch);
  const [kept] = await Promise.all([
    giveBack(parts, failed, until),
    ...lost.map((each) => returnNow(parts, each)),
  ]);
  const isAll = failed.length === ended.length && ended.length > 0;
  if (isAll && failed.every(({ arrivals }) => arrivals.some(({ work: sent }) => isNewer(sent))))
    throw new BusError(
      "BUS_NEWER",
      `A newer version of Reveille sent all of ${deliveries.length} messages: they went back, for a host of that version.`,
    );
  if (isAll)
    throw new BusError(
      "BUS_UNREACHABLE",
      `None of ${deliveries.length} messages could be run, the lines before this one say why. They come again; what went back for it counts as no attempt.`,
    );
  return [...others, ...kept, ...lost].flatMap((batch) => batch.deliveries);
}

async function runKey(parts: InvocationParts, batch: KeyBatch, work: Work, until: number): Promise<Ended> {
  const { clock, log } = parts;
  try {
    if (!(await isKept(parts, batch, until))) return { batch, ending: "again" };
  } catch (thrown) {
    log.error({ error: textOf(thrown) }, "the visibility timeout of late messages could not be extended");
    return { batch, ending: "failed" };
  }
  const holding = new Holding(clock, until);
  const stop = clock.after(Math.max(0, until - clock.now()), () => holding.lose("its host's time is over"));
  try {
    return { batch, ending: await runBatch(parts, batch, holding, work) };
  } finally {
    stop();
  }
}

/**
 * True where no other invocation gets these messages before this one is over. Lambda may hold back for long what it received: the
 * visibility timeout counts from then, and its end would let two run one key.
 */
async function isKept(
  { queues, clock }: InvocationParts,
  { deliveries, arrivals }: KeyBatch,
  until: number,
): Promise<boolean> {
  const name = arrivals[0]?.work.function;
  const now = clock.now();
  const fresh = deliveries.every(({ receivedAt = 0 }) => now - receivedAt < FRESH_MILLISECONDS);
  if (name === undefined || fresh) return true;
  return queues.hold(queues.of(name), deliveries, Math.ceil((until - now) / 1000) + SPARE_SECONDS);
}

/**
 * The table or SQS failed, not the host. A message that only came again would look like one whose host died, and be buried after
 * some tries, though nobody ever ran it.
 * @returns what could not go back, and comes again by its queue's timeout
 */
async function giveBack(
  parts: InvocationParts,
  batches: readonly KeyBatch[],
  until: number,
): Promise<readonly KeyBatch[]> {
  if (batches.length === 0) return [];
  const { clock } = parts;
  await clock.sleep(Math.min(PAUSE_MILLISECONDS, Math.max(0, until - clock.now())));
  return sendBack(parts, batches);
}

/**
 * Leaves the messages beside a suspect to other invocations. Other suspects go back as they are: their message knows what is
 * known of their last run, and a delivery more charges them with nothing.
 * @returns the messages that come again
 */
async function leaveAlone(
  parts: InvocationParts,
  batches: readonly KeyBatch[],
): Promise<readonly KeyBatch[]> {
  const suspects = batches.filter(({ suspect }) => suspect);
  const [kept] = await Promise.all([
    sendBack(
      parts,
      batches.filter(({ suspect }) => !suspect),
    ),
    ...suspects.map((each) => returnNow(parts, each)),
  ]);
  return [...suspects, ...kept];
}

/** Sends messages anew. Returns what could not go back, and comes again by its queue's timeout. */
async function sendBack(
  { queues, log, giveBack: send }: InvocationParts,
  batches: readonly KeyBatch[],
): Promise<readonly KeyBatch[]> {
  const kept = await Promise.all(
    batches.map(async (batch) => {
      const name = batch.arrivals[0]?.work.function;
      if (name === undefined) return [batch];
      try {
        await send(batch);
        await queues.acknowledge(queues.of(name), batch.deliveries);
        return [];
      } catch (thrown) {
        log.warn(
          { error: textOf(thrown) },
          "messages could not be given back; they come again by their queue's timeout",
        );
        return [batch];
      }
    }),
  );
  return kept.flat();
}

/** Returns a message whose lease was lost at once, not only when the queue's visibility timeout is over. */
async function returnNow(
  { queues, log }: InvocationParts,
  { arrivals, deliveries }: KeyBatch,
): Promise<void> {
  const name = arrivals[0]?.work.function;
  if (name === undefined) return;
  try {
    await queues.hold(queues.of(name), deliveries, 0);
  } catch (thrown) {
    log.warn({ error: textOf(thrown) }, "messages come again when their queue's timeout is over");
  }
}
