import type { Envelope, ResourceChanged } from "../../../events/index.ts";
import type { Cause } from "../../../shared/bus/item.ts";
import type { RecordedWrite, RunRecord } from "../../../shared/bus/run-record.ts";
import { describeKey } from "../../../shared/function/key.ts";

/** `Deployment team/web` of `apps/Deployment/team/web`; a list is `Deployments of team`. */
export function describeSubject(subject: string): string {
  const [, kind = "", namespace = "", ...rest] = subject.split("/");
  const name = rest.join("/");
  if (name === "*" || name === "") return namespace === "" ? `all ${kind}s` : `${kind}s of ${namespace}`;
  return `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
}

/** The key as people say it; a text that is no key as it is. */
export function describeWorkKey(key: string): string {
  try {
    return describeKey(key);
  } catch (thrown) {
    if (thrown instanceof TypeError || thrown instanceof URIError) return key;
    throw thrown;
  }
}

const words: Readonly<Record<string, string>> = {
  created: "new",
  object: "changed",
  status: "status",
  facts: "facts",
  ready: "readiness",
  unknown: "found",
};

/** What an event says in a word or two: `new`, `changed`, `deleted`, `is ready`. */
export function describeEvent(event: Envelope): string {
  switch (event.type) {
    case "resource.changed": {
      const { differs, deleting } = event.data as ResourceChanged["data"];
      if (deleting) return "is being deleted";
      const parts = differs.map((part) => words[part] ?? part);
      // What is new differs in everything; of a change, the facts are a part.
      for (const all of ["new", "found", "changed"]) if (parts.includes(all)) return all;
      return parts.join(", ");
    }
    case "resource.deleted":
      return "is gone";
    case "dependency.ready":
      return "is ready";
    case "dependency.lost":
      return "is no longer ready";
    default:
      return event.type;
  }
}

/** Why a run was, in words: from its most telling cause. `said` knows what recent events said. */
export function describeCause(
  causes: readonly Cause[],
  said: (eventId: string) => string | undefined,
): string {
  const cause = mainCause(causes);
  if (cause === undefined) return "";
  const more = causes.length > 1 ? ` (+${causes.length - 1})` : "";
  return `${oneCause(cause, said)}${more}`;
}

/** A user's own change tells more than what followed from it. */
export function mainCause(causes: readonly Cause[]): Cause | undefined {
  const order = [
    "command",
    "own",
    "dependency",
    "wait",
    "child",
    "deadline",
    "sweep",
    "again",
    "retry",
    "net",
  ];
  return [...causes].sort((a, b) => order.indexOf(a.sort) - order.indexOf(b.sort))[0];
}

function oneCause(cause: Cause, said: (eventId: string) => string | undefined): string {
  switch (cause.sort) {
    case "retry":
      return "another attempt";
    case "again":
      return "one more pass";
    case "net":
      return "the net";
    case "deadline":
      return `deadline ${cause.timer ?? ""}`.trim();
    case "command":
      return cause.type === "function.changed" ? "the function is new" : "a command";
    default:
      return [
        cause.subject === undefined ? cause.type : describeSubject(cause.subject),
        said(cause.eventId) ??
          (cause.type === "resource.deleted"
            ? "is gone"
            : cause.type === "dependency.ready"
              ? "is ready"
              : "changed"),
      ].join(" ");
  }
}

const MAXIMUM_WRITES = 4;
const MAXIMUM_PATHS = 3;

/** What a run wrote, a few words a write. `key` is what it was about: its own status need not be named. */
export function describeWrites(run: RunRecord): readonly string[] {
  const sent = run.writes.filter(({ sent: was, error }) => was || error !== undefined);
  const shown = sent.slice(0, MAXIMUM_WRITES).map((write) => oneWrite(write, isOwn(run, write)));
  return sent.length > MAXIMUM_WRITES ? [...shown, `${sent.length - MAXIMUM_WRITES} more`] : shown;
}

const isOwn = (run: RunRecord, { subject }: RecordedWrite): boolean => run.key.endsWith(`/${subject}`);

function oneWrite({ verb, subject, paths, error }: RecordedWrite, own: boolean): string {
  const target = own ? "" : ` ${describeSubject(subject)}`;
  const where = shortPaths(paths);
  const what = `${verb}${target}${where === "" ? "" : ` (${where})`}`;
  return error === undefined ? what : `${what} refused: ${error}`;
}

/** `spec.replicas, metadata.labels, …`. */
export function shortPaths(paths: readonly string[]): string {
  const short = [
    ...new Set(
      paths.map((path) =>
        path
          .replace(/^status\./, "")
          .split(/\.(?![^[]*\])/)
          .slice(0, 2)
          .join("."),
      ),
    ),
  ].filter((path) => path !== "");
  return short.length > MAXIMUM_PATHS ? `${short.slice(0, MAXIMUM_PATHS).join(", ")}, …` : short.join(", ");
}

/** What came of a run beside its writes: what it waits for, its deadlines, its error. */
export function describeEnding(run: RunRecord): readonly string[] {
  const parts: string[] = [];
  if (run.waitingFor.length > 0) parts.push(`waits for ${run.waitingFor.join("; ")}`);
  for (const [name, at] of Object.entries(run.deadlines)) parts.push(`looks again at ${at} (${name})`);
  const message = run.error === undefined ? "" : `: ${run.error.message}`;
  if (run.outcome === "retry") parts.push(`failed, tries again (attempt ${run.attempt})${message}`);
  if (run.outcome === "dead") parts.push(`failed for good${message}`);
  if (run.outcome === "parked") parts.push("paused: left alone");
  if (run.outcome === "lost") parts.push("lost its lease");
  return parts;
}
