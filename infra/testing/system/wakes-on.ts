import type { FunctionDeclaration } from "../../../shared/function/declaration.ts";
import type { AnyObject, Kind } from "../../../shared/kube/kind.ts";
import type { Segments } from "../../../shared/kube/paths.ts";
import { NAMES } from "./watched-object.ts";

/** The fields of an object that wake a run: all; all but the status, and paths; or paths alone. */
export type WakesOn = "all" | { readonly allButStatus: boolean; readonly paths: readonly Segments[] };

/** The subject of a run: uids of its own objects, and the group that they are. */
export interface RunSubject {
  readonly uids: ReadonlySet<string>;
  readonly group: string | undefined;
}

const same = (one: Kind, other: Kind): boolean => one.group === other.group && one.kind === other.kind;

/** The fields of an object (undefined: of the objects that a list asks for) that wake the run which has read it. */
export function wakesOn(
  declaration: FunctionDeclaration,
  kind: Kind,
  subject: RunSubject,
  object: AnyObject | undefined,
): WakesOn {
  const { key, owns, wakes, reads, writes } = declaration;
  const isAsked = (one: Kind): boolean => same(one, kind);
  if (isAsked(key.kind)) {
    const isMember = key.by === "namespace" && object?.metadata.namespace === subject.group;
    if (key.by === "all" || isMember || (object !== undefined && subject.uids.has(object.metadata.uid)))
      return "all";
  }
  const woken = wakes.filter((wake) => wake.kind !== undefined && isAsked(wake.kind));
  // A group wakes by whatever an object of its kind owns or owned, also one that is gone or was made anew.
  const isOfGroup =
    key.by === "all" || (key.by === "namespace" && object?.metadata.namespace === subject.group);
  const isChild =
    owns.some(isAsked) &&
    object?.metadata.ownerReferences.some(
      (owner) =>
        owner.controller === true &&
        (subject.uids.has(owner.uid) || (isOfGroup && owner.kind === key.kind.kind)),
    ) === true;
  const isMeant = [...reads, ...writes].some((one) => "unwatched" in one && isAsked(one.kind));
  if (woken.length === 0 && !isChild && isMeant) return "all";
  const byFacts = isChild || woken.some(({ on }) => on === "changed");
  const byReady = isChild || woken.some(({ on }) => on === "ready");
  return {
    allButStatus: isChild,
    paths: [
      ...(byFacts ? Object.values(kind.facts) : []),
      ...(byReady && kind.ready !== undefined ? [kind.ready.path] : []),
    ],
  };
}

/** Fields that stay as they are for as long as the object is there. */
const FIXED = new Set(["name", "namespace", "cluster", "uid", "creationTimestamp"]);
const isFixed = ([first, second]: Segments): boolean =>
  first === "apiVersion" || first === "kind" || (first === "metadata" && FIXED.has(second ?? ""));
const begins = (path: Segments, start: Segments): boolean =>
  start.length <= path.length && start.every((segment, index) => path[index] === segment);
const isItem = (segment: string | undefined): boolean => segment?.startsWith("[") === true;

/** True where the run wakes when the value at a path changes. `value` is the one that was read. */
export function isWoken(wake: WakesOn, path: Segments, value: unknown): boolean {
  if (wake === "all" || isFixed(path)) return true;
  if (wake.allButStatus && path[0] !== "status") return true;
  // Each version has its own.
  if (wake.paths.some((fact) => fact.join(".") === "metadata.resourceVersion")) return true;
  if (wake.paths.some((fact) => begins(path, fact))) return true;
  const last = path.at(-1);
  // An item of a list is found by its type; the rest of it counts by itself.
  if (last === "type" && isItem(path.at(-2))) return true;
  const within = path.slice(0, -1);
  if (last === "length")
    return wake.paths.some((fact) => begins(fact, within) && isItem(fact[within.length]));
  // On the way to a fact there is nothing, so the fact is not there either.
  return (
    last !== NAMES && (value === undefined || value === null) && wake.paths.some((fact) => begins(fact, path))
  );
}

/** A path as people write it: `status.conditions[Ready].status`. */
export const pathText = (path: Segments): string =>
  path.reduce(
    (text, segment) =>
      isItem(segment)
        ? `${text}${segment}`
        : /^[\w*]+$/.test(segment)
          ? `${text}${text === "" ? "" : "."}${segment}`
          : `${text}["${segment}"]`,
    "",
  );
