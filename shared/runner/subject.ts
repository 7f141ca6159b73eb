import type { Lease } from "../bus/contract.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import { type ParsedKey, parseKey, subjectOf } from "../function/key.ts";
import { noteUnreadable } from "../function/unreadable.ts";
import type { Wait } from "../function/wait.ts";
import type { Hints } from "../hints/hints.ts";
import { OwnObject } from "../hints/own-object.ts";
import type { KubeClient } from "../kube/client.ts";
import { factAt } from "../kube/facts.ts";
import type { AnyObject, Kind } from "../kube/kind.ts";
import type { KubeObject } from "../kube/object.ts";
import { parseObject, type UnreadableObjectError } from "../kube/read.ts";
import type { KnownObjects } from "./known-objects.ts";
import { pagesIn, readOne } from "./reads.ts";
import type { Recorder } from "./recorder.ts";

/** The subject of a run, as it was just read. */
export type Subject =
  | { readonly of: "one"; readonly self: AnyObject }
  | { readonly of: "group"; readonly members: readonly AnyObject[]; readonly group: string }
  /** The object, or every member, is gone. */
  | { readonly of: "nothing" };

/** True where it is the key's own object, of which each change wakes the key anyway. */
export function isOwnObject(
  text: string,
  { cluster, kind, namespace, name }: NonNullable<Wait["object"]>,
): boolean {
  const key = parseKey(text);
  return (
    cluster === undefined &&
    key.of === "object" &&
    key.kind === kind &&
    key.name === name &&
    key.namespace === namespace
  );
}

/** The objects of a subject. */
export const objectsOf = (subject: Subject): readonly AnyObject[] =>
  subject.of === "one" ? [subject.self] : subject.of === "group" ? subject.members : [];

/** The first argument of `observe` and `reconcile`. */
export const worldOf = (subject: Subject): Record<string, unknown> =>
  subject.of === "one"
    ? { self: subject.self }
    : subject.of === "group"
      ? { members: subject.members, group: subject.group }
      : {};

export interface SubjectParts {
  readonly client: KubeClient;
  readonly recorder: Recorder;
  readonly known: KnownObjects;
  readonly signal: AbortSignal;
  readonly hints: Hints | undefined;
  readonly lease: Pick<Lease, "item" | "ahead">;
  /** True in the first pass of the run. */
  readonly first: boolean;
  /** The object of the key as the server answered the last write of it, which the pass before made; undefined: it is read. */
  readonly answered: KubeObject | undefined;
  /** Absent: the whole cluster. */
  readonly namespaces: readonly string[] | undefined;
}

/** Reads the object or the members that a key is about. */
export async function readSubject(
  declaration: FunctionDeclaration,
  key: Exclude<ParsedKey, { of: "sweep" }>,
  parts: SubjectParts,
): Promise<Subject> {
  const { kind, fact } = declaration.key;
  if (key.of === "object") {
    const subject = subjectOf(kind, key);
    const raw = parts.answered ?? (await readOwn(kind, key, parts));
    parts.recorder.read({ subject, uid: raw?.metadata.uid, resourceVersion: raw?.metadata.resourceVersion });
    if (raw === undefined) return { of: "nothing" };
    parts.known.set(subject, raw);
    return { of: "one", self: parseObject(kind, raw) };
  }
  parts.recorder.listed(subjectOf(kind, { namespace: key.namespace, name: "*" }), key.fact !== undefined);
  const members: AnyObject[] = [];
  const unreadable: UnreadableObjectError[] = [];
  const options = { signal: parts.signal };
  for await (const page of pagesIn(parts.client, kind, key.namespace, parts.namespaces, options)) {
    const kept = page.items.filter(
      (raw) => key.fact === undefined || textOf(factAt(raw, kind.facts[fact ?? ""] ?? [])) === key.fact,
    );
    for (const raw of kept) parts.known.set(subjectOf(kind, raw.metadata), raw);
    parts.known.came(page.weight);
    members.push(...kept.flatMap((raw) => readOne(kind, raw, parts.recorder, unreadable) ?? []));
  }
  members.sort(
    (a, b) =>
      a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp) ||
      a.metadata.name.localeCompare(b.metadata.name) ||
      (a.metadata.namespace ?? "").localeCompare(b.metadata.namespace ?? ""),
  );
  noteUnreadable(members, unreadable);
  return { of: "group", members, group: key.fact ?? key.namespace ?? "*" };
}

function readOwn(
  kind: Kind,
  key: Extract<ParsedKey, { of: "object" }>,
  { client, hints, lease: { item, ahead }, signal, first }: SubjectParts,
): Promise<KubeObject | undefined> {
  const own = ahead instanceof OwnObject ? ahead : new OwnObject({ kind, key, item, client, hints });
  return first ? own.hinted(signal) : own.newest(signal);
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null
    ? undefined
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
