import type { EventDefinition } from "../../../events/index.ts";
import type { Clock } from "../../clock/clock.ts";
import { silent } from "../../log/log.ts";
import type { Bus, Route } from "../contract.ts";
import { BusError } from "../errors.ts";
import { freshKey } from "../key-state.ts";
import { pendingOf } from "../pending-of.ts";
import { REFUSED } from "../refused.ts";
import { emptyInboxWhereFree } from "./bus.ts";
import { openCounts } from "./counts.ts";
import { Database } from "./database.ts";
import { letterOfKey } from "./dead-letters.ts";
import { defaultHistory, openHistory } from "./history.ts";
import { openOutbox, type Request } from "./inbox.ts";
import { openKeyTable } from "./key-table.ts";
import { openRefusedTable } from "./refused-table.ts";

const LOOK_MILLISECONDS = 50;
/** The time within which the process that has the bus answers, unless it hangs. */
const LONGEST_MILLISECONDS = 15_000;

export interface EmbeddedClientOptions {
  readonly file: string;
  readonly clock: Clock;
  /** For what is published while no process has the bus. */
  readonly route: Route;
  readonly types?: (() => ReadonlyMap<string, EventDefinition>) | undefined;
}

/**
 * The embedded bus as other processes see it: they read its file, which tells what was true a moment ago, and ask for changes through its
 * inbox. Where no process has the bus, this one takes it for as long as a change lasts.
 * @throws BusError when the file cannot be opened, is damaged, another program's or a newer version's
 */
export function openEmbeddedClient(options: EmbeddedClientOptions): Bus & { storeId(): Promise<string> } {
  const { file, clock } = options;
  const database = new Database(file, { powerCutSafe: false });
  const keys = openKeyTable(database);
  const refused = openRefusedTable(database);
  const counts = openCounts(database);
  const outbox = openOutbox(database, clock);
  const history = openHistory(database, defaultHistory, { clock, log: silent });

  const ask = async (request: Request): Promise<unknown> => {
    const number = outbox.ask(request);
    const until = clock.now() + LONGEST_MILLISECONDS;
    for (;;) {
      const answer = outbox.answer(number);
      if (answer !== undefined) return answer.result;
      await emptyInboxWhereFree(options);
      if (clock.now() > until)
        throw new BusError(
          "BUS_BUSY",
          `The process that has ${file} does not answer; what was asked for stands, and is done once it does.`,
        );
      await clock.sleep(LOOK_MILLISECONDS);
    }
  };

  return {
    publish: async (events) => (await ask({ do: "publish", events })) as Awaited<ReturnType<Bus["publish"]>>,
    enqueue: async (items) => void (await ask({ do: "enqueue", items })),
    consume: () => {
      throw new BusError(
        "BUS_MISCONFIGURED",
        `${file} is only read here: one process has it and runs its items.`,
      );
    },
    deadLetters: {
      list: async ({ function: wanted } = {}) =>
        [...refused.list(), ...keys.dead().flatMap((key) => letterOfKey(key) ?? [])].filter(
          (letter) => wanted === undefined || letter.function === wanted,
        ),
      show: async (key) => {
        if (key.function === REFUSED) return refused.show(key.key);
        const found = keys.load(key);
        return found && letterOfKey(found);
      },
      redrive: async (key, askedBy) => (await ask({ do: "redrive", key, askedBy })) === true,
      drop: async (key) => (await ask({ do: "drop", key })) === true,
    },
    history: history.queries,
    pending: async (key) => pendingOf(keys.load(key)?.state ?? freshKey, clock.now()),
    counts: async () => counts(clock.now(), refused.count()),
    waits: async () => [],
    subscribe: () => () => undefined,
    ready: () => database.isOpen,
    storeId: async () => database.prepare("SELECT id FROM birth").get<{ readonly id: string }>()?.id ?? "",
    close: async () => database.close(),
  };
}
