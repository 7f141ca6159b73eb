import type { KubeObject } from "../../../shared/kube/object.ts";
import { shortTime } from "../../../shared/text.ts";
import { pauseText } from "../status/paused.ts";
import type { Paint } from "../style.ts";
import { describeEnding, describeSubject, describeWorkKey, describeWrites } from "../timeline/describe.ts";
import { timeOfDay } from "../timeline/timeline.ts";
import type { Explanation, Happening, KeyState, RunStep } from "./chain.ts";

/** An explanation for people: a line a step, then how it stands now. */
export function explanationText(
  explanation: Explanation,
  live: KubeObject | undefined,
  paint: Paint,
  now: number,
): string {
  const { subject, steps, incomplete, keys } = explanation;
  const lines = [paint("bold", describeSubject(subject)), ""];
  if (incomplete) lines.push(paint("dim", "  (what came earlier is left out)"));
  for (const step of steps)
    lines.push(step.step === "event" ? eventLine(step, now, paint) : runLine(step, now, paint));
  lines.push("", paint("bold", "Now"));
  lines.push(...(live === undefined ? [] : statusLines(live)));
  lines.push(...keys.flatMap((key) => keyLines(key, now)));
  return lines.join("\n");
}

/** The time of day, with the date where it is not today's. */
const clockText = (at: string, now: number): string => {
  const date = new Date(at);
  const today = date.toDateString() === new Date(now).toDateString();
  return today ? timeOfDay(at) : `${at.slice(0, 10)} ${timeOfDay(at)}`;
};

function eventLine({ at, type, subject, generation, by }: Happening, now: number, paint: Paint): string {
  const said = wordOf(type);
  const what = subject === undefined ? said : `${describeSubject(subject)} ${said}`;
  const spec =
    type === "resource.changed" && generation !== undefined && generation > 0
      ? ` (generation ${generation})`
      : "";
  return `  ${paint("dim", clockText(at, now))} ${what}${spec}${by === undefined ? "" : `, by ${paint("cyan", by)}`}`;
}

const wordOf = (type: string): string =>
  ({
    "resource.changed": "changed",
    "resource.deleted": "was deleted",
    "dependency.ready": "became ready",
    "dependency.lost": "was no longer ready",
    "command.redrive": "redriven",
    "command.reconcile": "asked to look again",
    "function.changed": "the function was new or reloaded",
  })[type] ?? type;

function runLine({ run, at }: RunStep, now: number, paint: Paint): string {
  const done = [...describeWrites(run), ...describeEnding(run)].join("; ") || "found nothing to do";
  const failed = run.outcome === "retry" || run.outcome === "dead";
  return `  ${paint("dim", clockText(at, now))} → ${paint("cyan", run.function)} ${describeWorkKey(run.key)}: ${failed ? paint("red", done) : done} ${paint("dim", `· ${shortTime(run.milliseconds)}`)}`;
}

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

function statusLines(object: KubeObject): readonly string[] {
  const { conditions = [] } = (object.status ?? {}) as { readonly conditions?: readonly Condition[] };
  return conditions.map(({ type, status, reason, message }) => {
    const why = [reason, message].filter((part) => part !== undefined && part !== "").join(": ");
    return `  ${type}=${status}${why === "" ? "" : ` (${why})`}`;
  });
}

function keyLines(key: KeyState, now: number): readonly string[] {
  const lines: string[] = [];
  if (key.paused !== undefined) lines.push(`is paused${pauseText(key.paused, now)}`);
  else if (key.isParked) lines.push("was paused when it was to look last");
  for (const wait of key.waitingFor) lines.push(`waits for ${wait}`);
  for (const [name, at] of Object.entries(key.deadlines)) lines.push(`looks again at ${at} (${name})`);
  if (key.retryAt !== undefined)
    lines.push(`tries again at ${key.retryAt} (after ${key.attempts} failed attempts)`);
  if (key.isRunning) lines.push("runs at this moment");
  if (key.isQueued) lines.push("waits for its turn");
  if (key.dead !== undefined)
    lines.push(
      `failed for good at ${key.dead.at} after ${key.dead.attempts} ${key.dead.attempts === 1 ? "attempt" : "attempts"}: ${key.dead.error.message}`,
    );
  if (lines.length === 0) lines.push("has nothing left to do");
  return lines.map((line) => `  ${key.function} ${line}`);
}
