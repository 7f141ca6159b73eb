import { randomUUID } from "node:crypto";
import type { EventDefinition } from "../../../events/index.ts";
import type { Bus } from "../../bus/contract.ts";
import type { NewItem, WorkKey } from "../../bus/item.ts";
import type { RunRecord } from "../../bus/run-record.ts";
import type { FunctionDeclaration } from "../../function/declaration.ts";
import { describeKey } from "../../function/key.ts";
import { createRouter, type RouteRow } from "../../runner/router.ts";
import { type DryRunParts, dryRun, endedRun, sealedRun } from "./dry-run.ts";
import { type Invocation, type InvokedRun, unknownFunction } from "./invocation.ts";
import { itemsFor, parseInvoked } from "./invoked-items.ts";

export interface FunctionConsoleParts extends DryRunParts {
  readonly types: () => ReadonlyMap<string, EventDefinition>;
  /** Absent: dry runs alone. */
  readonly bus?: Pick<Bus, "enqueue" | "history" | "pending" | "subscribe"> | undefined;
}

export interface InvokeOptions {
  /** True: nothing is written; the answer tells what would be. */
  readonly dryRun: boolean;
  /** Goes into the trace of the run: who handed the event in. */
  readonly askedBy: string;
  readonly signal: AbortSignal;
  /** The time to wait for a host to run it. Default 25 s. */
  readonly waitMilliseconds?: number | undefined;
}

/** Functions invoked by hand: the one core below the command line, HTTP and a cloud's test button. */
export interface FunctionConsole {
  readonly functions: readonly { readonly name: string; readonly wakes: readonly RouteRow[] }[];
  /**
   * Hands an event to one function. Dry, it runs here and writes nothing. Else it goes through the bus as any other item, so that
   * the key never runs twice at once (B3), and this waits for what the run tells. Throws an `InvocationError`.
   */
  invoke(name: string, event: unknown, options: InvokeOptions): Promise<Invocation>;
}

const WAIT = 25_000;
const LOOK_EVERY = 250;

export function functionConsole(parts: FunctionConsoleParts): FunctionConsole {
  const declarations = [...parts.functions.keys()];
  const wakesOf = (declaration: FunctionDeclaration): readonly RouteRow[] => createRouter([declaration]).rows;
  return {
    functions: declarations.map((declaration) => ({ name: declaration.name, wakes: wakesOf(declaration) })),
    async invoke(name, input, options) {
      const declaration = declarations.find((one) => one.name === name);
      if (declaration === undefined)
        throw unknownFunction(
          name,
          declarations.map((one) => one.name),
        );
      const event = parseInvoked(input, parts.types(), parts.clock.now());
      const { id, type, subject } = event;
      const items = itemsFor(declaration, event, parts.cluster);
      const runs =
        options.dryRun || parts.bus === undefined
          ? await allDry(items, parts, options.signal)
          : await Promise.all(items.map((item) => throughBus(item, parts, options)));
      return {
        function: name,
        event: { id, type, subject },
        dryRun: options.dryRun || parts.bus === undefined,
        runs,
        ...(items.length === 0 && {
          message: `This event does not wake ${name}. What does: ${wakesOf(declaration)
            .map(({ on, source }) => `${on} ${source}`)
            .join(", ")}.`,
        }),
      };
    },
  };
}

async function allDry(
  items: readonly NewItem[],
  parts: FunctionConsoleParts,
  signal: AbortSignal,
): Promise<readonly InvokedRun[]> {
  const runs: InvokedRun[] = [];
  for (const item of items) runs.push(...(await dryRun(item, parts, signal)).map(sealedRun));
  return runs;
}

/** Enqueues it, and tells what its run came to, whichever host ran it. */
async function throughBus(
  item: NewItem,
  { bus, clock, log }: FunctionConsoleParts,
  { askedBy, signal, waitMilliseconds = WAIT }: InvokeOptions,
): Promise<InvokedRun> {
  if (bus === undefined) throw new TypeError("a real run needs a bus");
  const eventId = `invoked/${randomUUID()}`;
  const at = new Date(clock.now()).toISOString();
  // Neither uid nor version: what a person asks for is never the echo of a write.
  const { uid: _, resourceVersion: __, ...cause } = item.cause;
  const isOurs = (run: RunRecord): boolean => run.causes.some((one) => one.eventId === eventId);
  let ended = (_run: RunRecord): void => undefined;
  const heard = new Promise<RunRecord>((resolve) => {
    ended = resolve;
  });
  const stop = bus.subscribe({ ran: (run) => isOurs(run) && ended(run) });
  try {
    log?.info({ function: item.function, key: item.key, eventId, askedBy }, "invoked by hand");
    await bus.enqueue([
      { ...item, lane: "urgent", cause: { ...cause, sort: "command", eventId, at, revives: true } },
    ]);
    const until = clock.now() + waitMilliseconds;
    for (;;) {
      // A run in this process is heard of at once, one elsewhere is found in the history.
      const run = await Promise.race([heard, lookLater(bus, item, isOurs, clock, signal)]);
      if (run !== undefined) return endedRun(run);
      if (clock.now() >= until) break;
    }
    const { running } = await bus.pending(item);
    return { key: item.key, about: describeKey(item.key), state: running ? "running" : "waiting" };
  } finally {
    stop();
  }
}

async function lookLater(
  bus: Pick<Bus, "history">,
  { function: name, key }: WorkKey,
  isOurs: (run: RunRecord) => boolean,
  clock: FunctionConsoleParts["clock"],
  signal: AbortSignal,
): Promise<RunRecord | undefined> {
  await clock.sleep(LOOK_EVERY, signal);
  return (await bus.history.ofKey({ function: name, key }, 10)).find(isOurs);
}
