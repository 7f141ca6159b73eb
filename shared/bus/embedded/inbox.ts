import type { Envelope } from "../../../events/index.ts";
import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Bus } from "../contract.ts";
import { BusError, type BusErrorCode } from "../errors.ts";
import type { NewItem, WorkKey } from "../item.ts";
import type { Database } from "./database.ts";

/** Another process asks the one that has the bus. */
export type Request =
  | { readonly do: "publish"; readonly events: readonly Envelope[] }
  | { readonly do: "enqueue"; readonly items: readonly NewItem[] }
  | { readonly do: "redrive"; readonly key: WorkKey; readonly askedBy: string }
  | { readonly do: "drop"; readonly key: WorkKey };

type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: string; readonly message: string } };

interface Row {
  readonly number: number;
  readonly request: string;
}

/** The time for which an answer is kept for whoever asked and has not read it. */
const KEPT_MILLISECONDS = 3_600_000;

type Served = Pick<Bus, "publish" | "enqueue" | "deadLetters">;

function serve(bus: Served, request: Request): Promise<unknown> {
  switch (request.do) {
    case "publish":
      return bus.publish(request.events);
    case "enqueue":
      return bus.enqueue(request.items);
    case "redrive":
      return bus.deadLetters.redrive(request.key, request.askedBy);
    case "drop":
      return bus.deadLetters.drop(request.key);
  }
}

/** The requests of others, on the side of the process that has the bus. */
export interface Inbox {
  /** Does all that is asked, in order, and answers. */
  empty(): Promise<void>;
}

export function openInbox(
  database: Database,
  { bus, clock, log }: { readonly bus: Served; readonly clock: Clock; readonly log: Log },
): Inbox {
  const open = database.prepare("SELECT number, request FROM inbox WHERE answer IS NULL ORDER BY number");
  const answer = database.prepare("UPDATE inbox SET answer = ? WHERE number = ?");
  const forget = database.prepare("DELETE FROM inbox WHERE answer IS NOT NULL AND at < ?");
  const answerOf = async ({ request }: Row): Promise<Answer> => {
    try {
      return { result: await serve(bus, JSON.parse(request) as Request) };
    } catch (thrown) {
      // A full bus will have room again: what stands in the inbox is asked once more then.
      if (thrown instanceof BusError && (thrown.code === "BUS_FULL" || thrown.code === "BUS_CLOSED"))
        throw thrown;
      log.error({ error: messageOf(thrown) }, "what another process asked for failed");
      const code = thrown instanceof BusError ? thrown.code : "BUS_MISCONFIGURED";
      return { error: { code, message: messageOf(thrown) } };
    }
  };
  const empty = async (): Promise<void> => {
    for (const row of open.all<Row>()) answer.run(JSON.stringify(await answerOf(row)), row.number);
    forget.run(clock.now() - KEPT_MILLISECONDS);
  };
  let last: Promise<void> = Promise.resolve();
  return {
    // One after the other: nothing is done twice.
    empty() {
      last = last.then(empty, empty);
      return last;
    },
  };
}

/** The side of whoever asks. */
export function openOutbox(database: Database, clock: Clock) {
  const ask = database.prepare("INSERT INTO inbox (request, at) VALUES (?, ?)");
  const read = database.prepare("SELECT answer FROM inbox WHERE number = ?");
  const forget = database.prepare("DELETE FROM inbox WHERE number = ?");
  return {
    /** @returns the number under which the answer will stand */
    ask: (request: Request): number => ask.run(JSON.stringify(request), clock.now()).id,
    /** The result, once it is there. @throws BusError as the other process met it */
    answer: (number: number): { readonly result: unknown } | undefined => {
      const text = read.get<{ readonly answer: string | null }>(number)?.answer ?? undefined;
      if (text === undefined) return undefined;
      forget.run(number);
      const answer = JSON.parse(text) as Answer;
      if ("error" in answer) throw new BusError(answer.error.code as BusErrorCode, answer.error.message);
      return answer;
    },
  };
}
