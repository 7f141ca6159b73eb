import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import { KubeError, type KubeStatus } from "../../shared/kube/errors.ts";
import type { Log } from "../../shared/log/log.ts";
import type { WatchedKind } from "../../shared/runner/watch-list.ts";
import type { Counters } from "./counters.ts";
import { LedgerError } from "./errors.ts";
import type { KindState, MissingRule, Next } from "./kind-state.ts";
import { backOff, type Timing } from "./timing.ts";

/** The number of times that a watch may break at one position without telling anything, before the kind is listed. */
const STUCK = 3;

export interface SetbackParts {
  readonly watched: WatchedKind;
  readonly namespace: string | undefined;
  readonly clock: Clock;
  /** A random number in [0, 1). */
  readonly random: () => number;
  readonly timing: Timing;
  readonly counters: Counters;
  readonly log: Log;
}

/** The failures of following one kind, and the next step: at once, after a pause, or once somebody mended it. */
export class Setbacks {
  readonly #parts: SetbackParts;
  /** Watches opened again. */
  restarts = 0;
  #failures = 0;
  #breaks = 0;
  #emptyEnds = 0;
  #absentSince: number | undefined;
  #told = "";

  constructor(parts: SetbackParts) {
    this.#parts = parts;
  }

  /** True where it failed more than once since something was read. */
  get areMany(): boolean {
    return this.#failures >= 2;
  }

  /** True where the server does not know the kind. */
  get isAbsent(): boolean {
    return this.#absentSince !== undefined;
  }

  /** The server knows the kind. */
  present(): void {
    this.#absentSince = undefined;
  }

  /** Something was read. */
  wentWell(): void {
    this.#failures = 0;
  }

  /** A watch is open: what goes wrong from now on is said anew. */
  opened(): void {
    this.#told = "";
  }

  /** A watch ended. @param told whether it told anything */
  afterEnd(
    reason: "closed" | "broken" | "silent" | "aborted",
    error: Error | undefined,
    told: boolean,
  ): KindState {
    const { counters } = this.#parts;
    if (reason === "aborted") return { name: "opening" };
    counters.watchRestarts++;
    this.restarts++;
    if (told) {
      this.#emptyEnds = 0;
      this.#breaks = 0;
    }
    switch (reason) {
      case "closed":
        if (!told) counters.emptyWatches++;
        // The server ends watches when it likes; one that ends them at once must not be asked in a loop.
        if (told || ++this.#emptyEnds < 2) return { name: "opening" };
        return this.#pause("The server ends the watch at once", { name: "probing" });
      case "silent":
        counters.silentWatches++;
        return { name: "probing" };
      case "broken":
        return this.#broke(error ?? new Error("The connection broke"), told);
    }
  }

  #broke(error: unknown, told: boolean): KindState {
    this.#breaks = told ? 1 : this.#breaks + 1;
    if (this.#breaks >= STUCK) {
      this.#breaks = 0;
      return this.#pause(messageOf(error), { name: "listing", because: "stuck" });
    }
    return this.#pause(messageOf(error), { name: "probing" });
  }

  /** The server ended a watch with an error. */
  afterRefusal(status: KubeStatus): KindState {
    this.#parts.counters.watchRestarts++;
    this.restarts++;
    if (status.code === 410 || status.reason === "Expired" || status.reason === "Gone")
      return { name: "listing", because: "expired" };
    return this.#broke(new Error(status.message ?? `The watch ended with ${status.code}`), false);
  }

  /** The next state after a failure in a state. */
  afterFailure(error: unknown, state: KindState): KindState {
    const { clock, timing, random } = this.#parts;
    const next = nextAfter(state);
    if (error instanceof LedgerError) {
      this.#parts.log.error({ code: error.code }, error.message);
      return this.#pause(error.message, next);
    }
    if (!(error instanceof KubeError)) return this.#broke(error, false);
    switch (error.kind) {
      case "expired":
        return { name: "listing", because: "expired" };
      case "forbidden": {
        const missing = this.#missing(next.name === "opening" ? "watch" : "list");
        const what = `${missing.verb} on ${missing.resource}${missing.group === "" ? "" : `.${missing.group}`}`;
        this.#tell(
          "warn",
          { missing },
          `Not allowed: ${what}. Grant it in a Role of this user (\`reveille rbac\` prints the rules)`,
        );
        return {
          name: "forbidden",
          missing,
          until: clock.now() + timing.forbidden * (0.5 + random() / 2),
          next,
        };
      }
      case "kindMissing": {
        this.#absentSince ??= clock.now();
        // Nothing is missed: there are no objects of it. Where it is ours to install, readiness and `status` say so too.
        this.#tell("info", {}, "The server does not know this kind: waiting until its CRD is installed");
        const until = clock.now() + backOff(++this.#failures, 1000, timing.absentMost, random);
        return { name: "absent", since: this.#absentSince, until };
      }
      case "unavailable":
        // 500 to a watch may mean that the server cannot read the position.
        if (next.name === "opening" && error.status?.code === 500) return this.#broke(error, false);
        return this.#pause(error.message, next.name === "opening" ? { name: "probing" } : next);
      case "throttled":
        return this.#pause(error.message, next, error.retryAfterMilliseconds);
      default:
        return this.#pause(error.message, next);
    }
  }

  #missing(verb: "list" | "watch"): MissingRule {
    const { group, plural } = this.#parts.watched;
    return { verb, group, resource: plural, namespace: this.#parts.namespace };
  }

  #pause(error: string, next: Next, atLeast = 0): KindState {
    const { clock, timing, random } = this.#parts;
    const attempt = ++this.#failures;
    const wait = Math.max(atLeast, backOff(attempt, timing.backOffFirst, timing.backOffMost, random));
    this.#tell(attempt > 2 ? "warn" : "info", { attempt }, error);
    return { name: "backingOff", until: clock.now() + wait, attempt, error, next };
  }

  /** Says the same thing once, until something else is to be said. */
  #tell(level: "info" | "warn", fields: object, message: string): void {
    if (this.#told === message) return;
    this.#told = message;
    this.#parts.log[level](fields, message);
  }
}

function nextAfter(state: KindState): Next {
  switch (state.name) {
    case "listing":
      return { name: "listing", because: state.because };
    case "absent":
      return { name: "listing", because: "appeared" };
    case "probing":
      return { name: "probing" };
    case "opening":
    case "streaming":
    case "full":
      return { name: "opening" };
    default:
      return { name: "listing", because: "start" };
  }
}
