import type { Envelope, ResourceChanged } from "../../../events/index.ts";
import type { Cause } from "../../../shared/bus/item.ts";
import type { RecordedWrite, RunRecord } from "../../../shared/bus/run-record.ts";
import { describeKey, several } from "../../../shared/function/key.ts";
import { subjectParts } from "../../../shared/kube/subject.ts";

/** `Deployment team/web` of `apps/Deployment/team/web`; a list is `Deployments of team`. */
export function describeSubject(subject: string): string {
  const { cluster, kind, namespace, name } = subjectParts(subject);
  const where = cluster === undefined ? "" : ` in ${cluster.slice(1)}`;
  if (name === "*" || name === "")
    return `${namespace === "" ? `all ${several(kind)}` : `${several(kind)} of ${namespace}`}${where}`;
  return `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}${where}`;
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

/** An event in a word or two: `new`, `changed`, `deleted`, `is ready`. */
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

/** The reason for a run, in words: its most telling cause. `said` knows the words of recent events. */
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
const MAXIMUM_PATHS = 2;

/** The writes of a run, a few words each. Its own object and its own namespace need not be named. */
export function describeWrites(run: RunRecord): readonly string[] {
  const sent = run.writes.filter(({ sent: was, error }) => was || error !== undefined);
  const notes = sent.filter(isGoodNote);
  const others = sent.filter((write) => !isGoodNote(write));
  const shown = others.slice(0, MAXIMUM_WRITES).map((write) => oneWrite(write, run));
  if (others.length > MAXIMUM_WRITES) shown.push(`${others.length - MAXIMUM_WRITES} more`);
  if (notes.length > 0) shown.push(notes.length === 1 ? "an Event" : `${notes.length} Events`);
  return shown;
}

const isGoodNote = ({ verb, error }: RecordedWrite): boolean => verb === "note" && error === undefined;

/** The namespace of a key; undefined where it has none. */
const namespaceOf = (key: string): string | undefined => key.split("/")[3] || undefined;

function oneWrite({ verb, subject, paths, error }: RecordedWrite, { key, error: end }: RunRecord): string {
  const { cluster, kind, namespace, name } = subjectParts(subject);
  const near = (namespace === namespaceOf(key) && cluster === undefined) || namespace === "";
  const there = cluster === undefined ? "" : ` in ${cluster.slice(1)}`;
  const target = key.endsWith(`/${subject}`) ? "" : ` ${kind} ${near ? "" : `${namespace}/`}${name}${there}`;
  const where = verb === "create" || verb === "remove" ? "" : shortPaths(paths);
  const what = `${verb}${target}${where === "" ? "" : ` (${where})`}`;
  if (error === undefined) return what;
  // What ended the run is told at the end of the line.
  return error === end?.message ? `${what} refused` : `${what} refused: ${error}`;
}

/** The fields that are in every object, and so tell nothing. */
const DULL = /^(metadata\.(labels|annotations|ownerReferences)|observedGeneration)/;

/** `spec.replicas, spec.template, …`. */
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
  const telling = short.filter((path) => !DULL.test(path));
  const shown = telling.length > 0 ? telling : short;
  return shown.length > MAXIMUM_PATHS ? `${shown.slice(0, MAXIMUM_PATHS).join(", ")}, …` : shown.join(", ");
}

/** The number of waits that fit into a line; `reveille why` tells all. */
const MAXIMUM_WAITS = 3;

/** The end of a run beside its writes: its waits, its next deadline, its error. */
export function describeEnding(run: RunRecord): readonly string[] {
  const parts: string[] = [];
  const waits = run.waitingFor.slice(0, MAXIMUM_WAITS).join("; ");
  const others = run.waitingFor.length - MAXIMUM_WAITS;
  if (waits !== "") parts.push(`waits for ${waits}${others > 0 ? `; and ${others} more` : ""}`);
  const [next, ...later] = Object.entries(run.deadlines).sort(
    ([, one], [, other]) => Date.parse(one) - Date.parse(other),
  );
  if (next !== undefined)
    parts.push(
      `looks again at ${next[1]} (${next[0]}${later.length > 0 ? `, then ${later.length} more` : ""})`,
    );
  const message = run.error === undefined ? "" : `: ${run.error.message}`;
  if (run.outcome === "retry") parts.push(`failed, tries again (attempt ${run.attempt})${message}`);
  if (run.outcome === "dead") parts.push(`failed for good${message}`);
  if (run.outcome === "parked") parts.push("paused: left alone");
  if (run.outcome === "away") parts.push(`parked, no attempt counted${message}`);
  // A command that names what is not there is carried out by saying so.
  if (run.outcome === "done" && run.error !== undefined) parts.push(`refused${message}`);
  if (run.answer !== undefined && run.answer.outcome !== "done" && run.error === undefined)
    parts.push(`${run.answer.outcome}: ${run.answer.message}`);
  if (run.outcome === "lost") parts.push("lost its lease");
  return parts;
}
