import type { Envelope } from "../../../events/index.ts";
import type { Bus } from "../../bus/contract.ts";
import type { Clock } from "../../clock/clock.ts";
import { InvocationError } from "../console/invocation.ts";
import { HttpError } from "./answer.ts";
import { malformed } from "./body.ts";

const RETRY_AFTER_SECONDS = 5;
/** Longer than a sender waits; what becomes durable after all is the same event when it comes again. */
const DEADLINE = 8_000;

const unavailable = (cause?: unknown): HttpError =>
  new HttpError("HTTP_UNAVAILABLE", "The bus cannot make it durable now: send it again a little later.", {
    cause,
    headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
  });

/** Resolves when the events are durable with all that they lead to (B1). Throws 503 where the bus is away, 400 where it refuses. */
export async function publishDurably(
  bus: Pick<Bus, "publish" | "ready">,
  events: readonly Envelope[],
  clock: Clock,
): Promise<void> {
  if (!bus.ready()) throw unavailable();
  const { refused } = await inTime(bus.publish(events), clock);
  if (refused.length > 0)
    throw malformed(
      refused.flatMap(({ index, issues }) =>
        issues.map((issue) => (events.length > 1 ? `[${index}].${issue}` : issue)),
      ),
    );
}

/** A bus that fails, or does not answer in time, is away: the log says why. */
export async function inTime<T>(work: Promise<T>, clock: Clock, milliseconds = DEADLINE): Promise<T> {
  let cancel = (): void => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(milliseconds, () => reject(unavailable()));
  });
  try {
    return await Promise.race([work, late]);
  } catch (thrown) {
    // A fault of the question says nothing about the bus.
    const isAnswer = thrown instanceof HttpError || thrown instanceof InvocationError;
    throw isAnswer ? thrown : unavailable(thrown);
  } finally {
    cancel();
  }
}
