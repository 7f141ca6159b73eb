import type { Failed, Finished, Lost, Parked } from "../bus/contract.ts";
import type { WorkItem } from "../bus/item.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import type { EffectError } from "../function/effects.ts";
import type { Wait } from "../function/wait.ts";
import {
  clusterAwayIn,
  connectionWaitOf,
  effectErrorOf,
  LeaseLostError,
  lackingCrdOf,
  retryAfterOf,
  toldInLogs,
} from "./errors.ts";
import { nextLook } from "./next-look.ts";
import { awayError, type Parking, slowParking } from "./parking.ts";
import { generationsOf, isAwaited, type PassEnd, type PassParts } from "./pass.ts";
import type { Recorder } from "./recorder.ts";
import type { RunReport } from "./run-report.ts";
import type { RunnerParts } from "./runner-parts.ts";
import { isOwnObject, type Subject } from "./subject.ts";
import type { Waits } from "./waits.ts";

/** The attempt from which on the status shows an error that may yet pass. */
const SHOW_FROM_ATTEMPT = 3;
/** The time after which a key is looked at again whose CRD lacked fields. */
const LACKING_MILLISECONDS = 30_000;
/** The net of a key that waits for one of other clusters, in milliseconds. */
const AWAY_NET = 5 * 60_000;

/** The parts that the ending of a run is made of. */
export interface RunEndingsParts {
  readonly item: WorkItem;
  readonly declaration: FunctionDeclaration;
  readonly parts: RunnerParts;
  readonly waits: Waits;
  readonly recorder: Recorder;
  readonly report: RunReport;
  /** The objects that the last pass was about. */
  readonly subject: () => Subject;
  /** Writes a failure to the status. Throws what kept it from that. */
  readonly showFailure: (thrown: unknown) => Promise<void>;
}

/** The endings of a run for the bus: what its key waits for, when it is looked at again, and who is charged with an error (rule 10). */
export class RunEndings {
  readonly #of: RunEndingsParts;
  constructor(of: RunEndingsParts) {
    this.#of = of;
  }

  /** The time of the function's own resync. */
  #ownNet(): number | undefined {
    const { net } = this.#of.declaration;
    return net !== undefined && this.#of.parts.nets !== false && this.#of.subject().of !== "nothing"
      ? nextLook(net, this.#of.item, this.#of.parts.clock.now())
      : undefined;
  }

  /** The time to look again: the process that would tell of the connection may have died. */
  #awayNet(): number | undefined {
    if (this.#of.parts.nets === false) return undefined;
    return Math.min(this.#ownNet() ?? Number.POSITIVE_INFINITY, this.#of.parts.clock.now() + AWAY_NET);
  }

  /**
   * The ending of a run whose passes went through. `again` queues the key once more; `net` is the time of the next look, in place of
   * the function's own.
   */
  finished(
    { outcome, ending }: PassEnd,
    more: { readonly again?: boolean; readonly net?: number },
  ): Finished {
    return {
      state: "finished",
      echoes: this.#of.recorder.echoes,
      waits:
        outcome === "parked"
          ? []
          : this.#of.waits.objectsOf(this.#of.declaration, [...(ending.waitingFor ?? []), ...this.#unread()]),
      // A parked run decided nothing: it leaves its deadlines alone.
      deadlines: outcome === "parked" ? undefined : (ending.wakeAt ?? {}),
      net: more.net ?? this.#ownNet(),
      again: more.again ?? false,
      enqueue: [],
      run: this.#of.report.record(outcome, ending.waitingFor, ending.wakeAt),
    };
  }

  /** The waits for listed objects that cannot be read: their mending wakes the key, where their changes are watched at all. */
  #unread(): Wait[] {
    return [...this.#of.recorder.unread.values()].flatMap(({ code, message, object }) => {
      this.#of.parts.log.warn(
        { ...this.#of.report.about, code, err: message },
        "a list was read without one object",
      );
      return isAwaited({ code, message, retryable: false, object }, this.#awaiting)
        ? [{ for: message, object }]
        : [];
    });
  }

  /** The ending of a run that an error stopped. */
  async failed(thrown: unknown): Promise<Finished | Failed | Parked | Lost> {
    const { item } = this.#of;
    const slow = slowParking(thrown);
    if (slow !== undefined) return this.#parked(slow, toldInLogs(thrown));
    const met = clusterAwayIn(thrown);
    if (met !== undefined) {
      // A function that shows it asks for the state: nothing is shown here, as for the home.
      this.#of.parts.log.info(
        { ...this.#of.report.about, err: thrown },
        "waits for a cluster, nothing is counted",
      );
      return this.#waits(connectionWaitOf(met), effectErrorOf(thrown), "away");
    }
    const parking = await this.#of.parts.away?.(this.#of.declaration.name);
    if (parking !== undefined) {
      // Nothing is shown on the objects: it is no fault of theirs, and what would show it may be away too.
      this.#of.parts.log.info(
        { ...this.#of.report.about, ...{ behind: parking.behind }, err: thrown },
        "parked, no attempt is counted",
      );
      return this.#parked(parking, awayError(parking, effectErrorOf(thrown)));
    }
    const lacking = lackingCrdOf(thrown);
    const error = effectErrorOf(thrown);
    const awaited =
      isAwaited(error, this.#awaiting) && !isOwnObject(item.key, error.object) ? error.object : undefined;
    const last =
      lacking !== undefined || awaited !== undefined || !error.retryable || item.lastAttempt === true;
    // The generations that were decided on count: a newer one, read only to show the failure, must take the key out of the dead letters.
    const subjects = generationsOf(this.#of.subject());
    this.#of.parts.log.warn(
      { ...this.#of.report.about, attempt: item.attempt, code: error.code, err: thrown },
      lacking !== undefined
        ? "parked until the cluster's CRD has the fields"
        : awaited !== undefined
          ? "waits for what is in the way"
          : last
            ? "failed for good"
            : "failed, will try again",
    );
    if (last || item.attempt >= SHOW_FROM_ATTEMPT) {
      try {
        await this.#of.showFailure(thrown);
      } catch (second) {
        if (second instanceof LeaseLostError) return { state: "lost" };
        this.#of.parts.log.error(
          { ...this.#of.report.about, err: second },
          "the failure could not be written to the status",
        );
      }
    }
    if (lacking !== undefined)
      return this.#parked(
        { behind: `CRD ${lacking.crd}`, milliseconds: LACKING_MILLISECONDS },
        toldInLogs(thrown),
      );
    if (awaited !== undefined) return this.#waits({ for: error.message, object: awaited }, error);
    return {
      state: "failed",
      error: toldInLogs(thrown),
      retryable: error.retryable,
      retryAfterMilliseconds: retryAfterOf(thrown),
      echoes: this.#of.recorder.echoes,
      subjects,
      run: this.#of.report.record(last ? "dead" : "retry", [], {}, toldInLogs(thrown)),
    };
  }

  /** Ends the run with a wait: another object has to change, not the key; no attempt is charged, and its deadlines stay. */
  #waits(wait: Wait, error: EffectError, outcome: "waiting" | "away" = "waiting"): Finished {
    return {
      state: "finished",
      echoes: this.#of.recorder.echoes,
      waits: this.#of.waits.objectsOf(this.#of.declaration, [wait]),
      deadlines: undefined,
      net: outcome === "away" ? this.#awayNet() : this.#ownNet(),
      again: false,
      enqueue: [],
      run: this.#of.report.record(outcome, [wait], {}, error),
    };
  }

  #parked(
    { behind, milliseconds }: Pick<Parking, "behind" | "milliseconds">,
    error: { readonly code: string; readonly message: string },
  ): Parked {
    const run = this.#of.report.record("away", [], {}, error);
    return { state: "parked", behind, milliseconds, error, echoes: this.#of.recorder.echoes, run };
  }

  get #awaiting(): Pick<PassParts, "waits" | "declaration"> {
    return { waits: this.#of.waits, declaration: this.#of.declaration };
  }
}
