import type { Time } from "../../../../shared/function/index.ts";
import { degradedTooLong, slowness, type Waiting } from "./operator-timers.ts";
import { together } from "./summary.ts";
import { nameOf, phraseOf, type UpdateError } from "./update-error.ts";

/** A condition to be stored, without the time, which is stamped when it is. */
export interface Verdict<T extends string = string> {
  readonly type: T;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
}

/** The knowledge about the pass that is told. */
export interface PassReport {
  /** Moving to the release, for the first time or another; else keeping to it. */
  readonly moving: boolean;
  /** The release's version, else its image. */
  readonly version: string;
  readonly done: number;
  readonly total: number;
  readonly failure: UpdateError | undefined;
  readonly waiting: Waiting;
  /** True where the spec holds what cannot be followed. */
  readonly invalid: boolean;
  /** False before any release is known. */
  readonly hasHistory: boolean;
}

/** The words of a failure in Progressing, and whether it is still progress rather than a failure. */
interface Reading {
  readonly reason: string;
  readonly text: string;
  readonly stillMoving: boolean;
  readonly slow: boolean;
}

const INVALID = "InvalidClusterVersion";

/** Failing and Progressing of a ClusterVersion (4.7). */
export function progressConditions(
  report: PassReport,
  now: Time,
): readonly [Verdict<"Failing">, Verdict<"Progressing">] {
  const { failure, moving, hasHistory } = report;
  const reading = failure && moving && hasHistory ? readingOf(failure, report.waiting, now) : undefined;
  const counted = moving && hasHistory ? withoutWaiting(failure) : failure;
  return [failing(counted, reading), progressing(report, reading)];
}

function failing(failure: UpdateError | undefined, reading: Reading | undefined): Verdict<"Failing"> {
  if (failure !== undefined && reading?.slow === true)
    return { type: "Failing", status: "Unknown", reason: "SlowClusterOperator", message: reading.text };
  if (failure === undefined || reading?.stillMoving === true) return { type: "Failing", status: "False" };
  return { type: "Failing", status: "True", reason: failure.reason, message: failure.message };
}

function progressing(report: PassReport, reading: Reading | undefined): Verdict<"Progressing"> {
  const { failure, moving, version, invalid } = report;
  const type = "Progressing";
  const status = moving ? "True" : "False";
  if (failure !== undefined && reading?.stillMoving !== true) {
    const text = reading?.text ?? phrase(failure);
    const message = moving
      ? `Unable to apply ${version}: ${text}`
      : `Error while reconciling ${version}: ${text}`;
    return { type, status, reason: failure.reason, message };
  }
  if (invalid)
    return {
      type,
      status,
      reason: INVALID,
      message: `${moving ? "Reconciling" : "Stopped at"} ${version}: the cluster version is invalid`,
    };
  if (!moving) return { type, status, message: `Cluster version is ${version}` };
  const parts = [progressText(report), reading?.text].filter((part) => part !== undefined);
  const said = parts.length === 0 ? "" : `: ${parts.join(", ")}`;
  return {
    type,
    status,
    ...(reading !== undefined && { reason: reading.reason }),
    message: `Working towards ${version}${said}`,
  };
}

const progressText = ({ done, total }: PassReport): string | undefined =>
  done > 0 && total > 0
    ? `${done} of ${total} done (${Math.trunc((100 * done) / total)}% complete)`
    : undefined;

function readingOf(failure: UpdateError, waiting: Waiting, now: Time): Reading {
  const { reason, names } = failure;
  switch (failure.effect) {
    case "Report":
      return { reason, text: failure.message, stillMoving: false, slow: false };
    case "None": {
      const slow = slowness(names, waiting, now);
      return {
        reason,
        text: slow ?? `waiting on ${names.join(", ")}`,
        stillMoving: true,
        slow: slow !== undefined,
      };
    }
    case "FailAfterInterval": {
      const tooLong = degradedTooLong(names, waiting, now);
      return {
        reason,
        text:
          tooLong.length > 0
            ? `wait has exceeded 40 minutes for these operators: ${tooLong.join(", ")}`
            : `waiting up to 40 minutes on ${names.join(", ")}`,
        stillMoving: tooLong.length === 0,
        slow: false,
      };
    }
    case "Fail": {
      const text = failure.members?.map((member) => readingOf(member, waiting, now).text).join(", ");
      return { reason, text: text ?? phrase(failure), stillMoving: false, slow: false };
    }
  }
}

/** Several errors are told by their own phrases; upstream calls them one unknown error. */
const phrase = (failure: UpdateError): string =>
  failure.members === undefined
    ? phraseOf(failure.reason, nameOf(failure))
    : failure.members.map(phrase).join(", ");

/** The errors without those that only wait: these are no failure. */
const withoutWaiting = (failure: UpdateError | undefined): UpdateError | undefined =>
  failure?.members === undefined
    ? failure
    : together(failure.members.filter(({ effect }) => effect !== "None"));
