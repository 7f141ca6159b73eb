import { hash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Bus } from "../../shared/bus/contract.ts";
import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import { everyKey } from "../../shared/function/router.ts";
import type { System } from "../../shared/function/system.ts";
import { timeOf } from "../../shared/function/time.ts";
import { configuredFunctions } from "../../shared/host/configuration.ts";
import type { Log } from "../../shared/log/log.ts";
import { knownFunctionsOf } from "../cli/install/declared.ts";

/** What a watcher published to, and for whom, when it looked last. */
interface LastSeen {
  readonly birth: string | undefined;
  /** By name: changes with what wakes a function, and with its configuration. */
  readonly functions: Readonly<Record<string, string>>;
}

export interface BreakParts {
  readonly bus: Pick<Bus, "birth" | "enqueue" | "ready" | "subscribe">;
  readonly cluster: string;
  readonly systems: readonly System[];
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Where it is remembered, beside the ledger; undefined: in this process alone. */
  readonly file: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** How often it is looked whether the bus was away; nothing is sent for that. */
const LOOK_EVERY = 5_000;

/**
 * A break is a sweep: after a bus that was replaced or lost what it kept, and for functions that are new, woken
 * otherwise or configured otherwise than before, every key is looked at once more, in the slow lane. What a lost ledger calls for, the watcher does itself.
 */
export class Breaks {
  readonly #parts: BreakParts;
  #last: LastSeen | undefined;
  #wasReady = true;
  #cancel: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: BreakParts) {
    this.#parts = parts;
    this.#last = read(parts.file);
  }

  /** Looks now, and again each time that the bus was away or says that it was replaced. */
  async start(): Promise<void> {
    await this.#look();
    this.#unsubscribe = this.#parts.bus.subscribe({
      replaced: () => {
        this.#wasReady = false;
      },
    });
    this.#wait();
  }

  stop(): void {
    this.#cancel?.();
    this.#unsubscribe?.();
  }

  #wait(): void {
    this.#cancel = this.#parts.clock.after(LOOK_EVERY, () => {
      const isReady = this.#parts.bus.ready();
      const isBack = isReady && !this.#wasReady;
      this.#wasReady = isReady;
      const looked = isBack ? this.#look() : Promise.resolve();
      void looked.then(() => this.#wait());
    });
  }

  async #look(): Promise<void> {
    const { bus, log } = this.#parts;
    try {
      await this.#sweep((await bus.birth?.()) ?? undefined);
    } catch (thrown) {
      // What it knew last stays, so that the next look finds the same.
      this.#wasReady = false;
      log.warn({ error: messageOf(thrown) }, "whether the bus is still the same cannot be told now");
    }
  }

  async #sweep(birth: string | undefined): Promise<void> {
    const { bus, systems, cluster, clock, log, file } = this.#parts;
    const functions = signaturesOf(systems, this.#parts.configuration);
    const last = this.#last;
    const isReplaced = last !== undefined && last.birth !== birth;
    const concerned = systems
      .flatMap((system) => system.functions)
      .filter(({ name }) => last !== undefined && (isReplaced || last.functions[name] !== functions[name]));
    if (concerned.length > 0) {
      const type = isReplaced ? "bus.replaced" : "function.changed";
      const at = timeOf(clock.now());
      await bus.enqueue(
        concerned.map((declaration) =>
          everyKey(declaration, cluster, {
            sort: "command",
            eventId: `${type}/${declaration.name}/${at}`,
            type,
            revives: true,
            at,
          }),
        ),
      );
      log.info(
        { because: type, functions: concerned.map(({ name }) => name) },
        "every key is looked at once more",
      );
    }
    this.#last = { birth, functions };
    if (file !== undefined && JSON.stringify(last) !== JSON.stringify(this.#last)) write(file, this.#last);
  }
}

function signaturesOf(
  systems: readonly System[],
  configuration: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const configured = new Map(
    [...configuredFunctions(systems, configuration)].map(([{ name }, { configuration: of, admitted }]) => [
      name,
      admitted.size === 0 ? of : [of, ...admitted],
    ]),
  );
  return Object.fromEntries(
    knownFunctionsOf(systems).map(({ name, signature }) => {
      const text = JSON.stringify(configured.get(name)) ?? "";
      return [name, `${signature} ${hash("sha256", text, "base64url").slice(0, 16)}`];
    }),
  );
}

function read(file: string | undefined): LastSeen | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8")) as LastSeen;
  } catch (thrown) {
    // Cut short by a full disk: as good as one of another bus.
    if (thrown instanceof SyntaxError) return { birth: undefined, functions: {} };
    throw thrown;
  }
}

function write(file: string, seen: LastSeen): void {
  writeFileSync(`${file}.new`, JSON.stringify(seen), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
