import type { FunctionDeclaration } from "../function/declaration.ts";
import { type ParsedKey, subjectOf } from "../function/key.ts";
import { noteUnreadable } from "../function/unreadable.ts";
import type { KubeClient, Place, Resource } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";
import { factAt } from "../kube/facts.ts";
import { type AnyObject, resourceOf } from "../kube/kind.ts";
import type { KubeObject } from "../kube/object.ts";
import { parseObject, type UnreadableObjectError } from "../kube/read.ts";
import type { KnownObjects } from "./known-objects.ts";
import type { ReadAhead } from "./read-ahead.ts";
import { pagesIn, readOne } from "./reads.ts";
import type { Recorder } from "./recorder.ts";

/** What a run is about, as it was just read. */
export type Subject =
  | { readonly of: "one"; readonly self: AnyObject }
  | { readonly of: "group"; readonly members: readonly AnyObject[]; readonly group: string }
  /** The object, or every member, is gone. */
  | { readonly of: "nothing" };

/** The objects of a subject. */
export const objectsOf = (subject: Subject): readonly AnyObject[] =>
  subject.of === "one" ? [subject.self] : subject.of === "group" ? subject.members : [];

/** What `observe` and `reconcile` are handed. */
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
  /** The object as this host has just seen it: spares the read of one's own object. */
  readonly sighting: (subject: string) => KubeObject | undefined;
  /** The version that woke the run: what is no older is as good as what the watcher saw. Undefined: the newest is read. */
  readonly atLeast?: string | undefined;
  /** The read of the object, where it was begun before. */
  readonly ahead?: ReadAhead | undefined;
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
    const raw =
      parts.sighting(subject) ?? (await (parts.ahead?.object() ?? readOwn(resourceOf(kind), key, parts)));
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
    for (const raw of kept) readOne(kind, raw, parts.recorder, members, unreadable);
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

/**
 * With a version the API server answers from what it holds in memory and leaves etcd alone: half its work, and sooner. Only of
 * the run's own object, since writes that rest on it carry its version.
 */
export async function readOwn(
  resource: Resource,
  place: Place,
  {
    client,
    signal,
    atLeast,
  }: Pick<SubjectParts, "client" | "atLeast"> & {
    readonly signal?: AbortSignal | undefined;
  },
): Promise<KubeObject | undefined> {
  const options = signal === undefined ? {} : { signal };
  if (atLeast !== undefined)
    try {
      return await client.get(resource, place, { ...options, resourceVersion: atLeast });
    } catch (error) {
      // The server went back to an older state, and never had this version; or it lags behind the one that told of it.
      if (!(error instanceof KubeError) || error.kind !== "future") throw error;
    }
  return await client.get(resource, place, options);
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null
    ? undefined
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
