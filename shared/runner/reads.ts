import type { FunctionDeclaration, Reader, Verb } from "../function/declaration.ts";
import { subjectOf } from "../function/key.ts";
import { Sealed } from "../function/sealed.ts";
import { isSlot } from "../function/slots.ts";
import { DeclarationError } from "../function/system.ts";
import { noteUnreadable } from "../function/unreadable.ts";
import type { KubeClient, ListOptions, ListPage } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";
import { type AnyObject, type Kind, resourceOf, type Slot, type SlotPlace } from "../kube/kind.ts";
import { isNewer, type KubeObject } from "../kube/object.ts";
import { parseObject, UnreadableObjectError } from "../kube/read.ts";
import { StaleError } from "./errors.ts";
import type { KnownObjects } from "./known-objects.ts";
import type { Recorder } from "./recorder.ts";
import type { Right } from "./rights.ts";
import type { NamedKind, SlotKinds } from "./slot-kinds.ts";

interface Where {
  readonly namespace?: string;
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly ownedBy?: AnyObject;
}

/**
 * The pages of a list; of a whole cluster of which only some namespaces are served, of each of these. Throws a `StaleError` where a list
 * began anew on the way: what its first pages held may be gone, and a decision rests on all of it.
 */
export async function* pagesIn(
  client: KubeClient,
  kind: Kind,
  namespace: string | undefined,
  served: readonly string[] | undefined,
  options: Omit<ListOptions, "namespace">,
): AsyncGenerator<ListPage> {
  const places =
    namespace === undefined && kind.scope === "Namespaced" ? (served ?? [undefined]) : [namespace];
  for (const place of places)
    for await (const page of client.pages(resourceOf(kind), { ...options, namespace: place })) {
      if (page.restarted === true)
        throw new StaleError(
          `The list of ${kind.id} took so long that the API server forgot where it began.`,
        );
      yield page;
    }
}

/** One object of a list. That it cannot be read concerns nobody else: it is noted, and the list goes on without it. */
export function readOne(
  kind: Kind,
  raw: KubeObject,
  recorder: Recorder,
  found: AnyObject[],
  unreadable: UnreadableObjectError[],
): void {
  try {
    found.push(parseObject(kind, raw));
  } catch (thrown) {
    if (!(thrown instanceof UnreadableObjectError)) throw thrown;
    recorder.unread.set(subjectOf(kind, raw.metadata), thrown);
    unreadable.push(thrown);
  }
}

/**
 * Remembers a read. Where one run reads an object twice, its writes are guarded by the older version: the decision may rest on
 * either.
 */
function rememberRead(known: Map<string, KubeObject>, subject: string, raw: KubeObject): void {
  const before = known.get(subject)?.metadata.resourceVersion;
  const now = raw.metadata.resourceVersion;
  if (before !== undefined && now !== undefined && !isNewer(before, now)) return;
  known.set(subject, raw);
}

/** The kinds behind the slots of whoever reads. */
type SlotsFor<D> = {
  [Method in "kindFor" | "lookUp"]: (slot: Slot, what: NamedKind, of: D) => ReturnType<SlotKinds[Method]>;
} & Pick<SlotKinds, "forget">;

/** The reads of one run or question: of declared kinds only, fresh, recorded. */
export function createReader<
  D extends Pick<FunctionDeclaration, "name"> & Partial<Pick<FunctionDeclaration, "executes">>,
>(of: {
  readonly declaration: D;
  readonly slots: SlotsFor<D>;
  readonly client: KubeClient;
  readonly rights: ReadonlyMap<string, Right>;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  readonly known: KnownObjects;
  /** Absent: the whole cluster. */
  readonly namespaces?: readonly string[] | undefined;
}): Reader<string> {
  const { name } = of.declaration;
  const check = (kind: Kind, verb: Verb): void => {
    const right = of.rights.get(`${kind.group}/${kind.kind}`);
    if (right?.reads === true && !right.verbs.has(verb))
      throw new DeclarationError(
        "UNDECLARED_READ",
        `${name} does not declare to ${verb} ${kind.id}: add "${verb}" to its verbs for this kind.`,
      );
    if (right?.reads !== true)
      throw new DeclarationError(
        "UNDECLARED_READ",
        `${name} reads ${kind.id}, which it does not declare: add changed(${kind.id}) to its wakes, or unwatched(${kind.id}, "why") to its reads.`,
      );
  };
  const getOne = async (
    kind: Kind,
    at: { readonly name: string; readonly namespace?: string | undefined },
  ): Promise<AnyObject | undefined> => {
    const raw = await of.client.get(resourceOf(kind), at, { signal: of.signal });
    const subject = subjectOf(kind, at);
    of.recorder.read({ subject, uid: raw?.metadata.uid, resourceVersion: raw?.metadata.resourceVersion });
    if (raw === undefined) return undefined;
    rememberRead(of.known, subject, raw);
    return parseObject(kind, raw);
  };
  const listAll = async (kind: Kind, where: Where): Promise<readonly AnyObject[]> => {
    const selected = where.labels !== undefined || where.name !== undefined || where.ownedBy !== undefined;
    of.recorder.listed(subjectOf(kind, { namespace: where.namespace, name: "*" }), selected);
    const labelSelector =
      where.labels === undefined
        ? undefined
        : Object.entries(where.labels)
            .map(([label, value]) => `${label}=${value}`)
            .join(",");
    const found: AnyObject[] = [];
    const unreadable: UnreadableObjectError[] = [];
    const fieldSelector = where.name === undefined ? undefined : `metadata.name=${where.name}`;
    const options = { labelSelector, fieldSelector, signal: of.signal };
    for await (const page of pagesIn(of.client, kind, where.namespace, of.namespaces, options)) {
      const kept = page.items.filter(
        ({ metadata }) =>
          where.ownedBy === undefined ||
          metadata.ownerReferences?.some(({ uid }) => uid === where.ownedBy?.metadata.uid),
      );
      for (const raw of kept) rememberRead(of.known, subjectOf(kind, raw.metadata), raw);
      of.known.came(page.weight);
      for (const raw of kept) readOne(kind, raw, of.recorder, found, unreadable);
    }
    return noteUnreadable(found, unreadable);
  };
  const refuseSlot = (kind: Kind): void => {
    if (isSlot(kind))
      throw new DeclarationError(
        "UNDECLARED_READ",
        `${name} reads ${kind.id}, which is a slot: use read.object or read.objects, which are told the kind.`,
      );
  };
  /** Reads a kind that the slot admits. A kind that proves unknown after all is asked for anew next time. */
  const within = async <T>(slot: Slot, what: NamedKind, verb: Verb, read: (kind: Kind) => Promise<T>) => {
    check(slot, verb);
    const kind = await of.slots.kindFor(slot, what, of.declaration);
    try {
      return await read(kind);
    } catch (error) {
      if (error instanceof KubeError && error.kind === "kindMissing") of.slots.forget(kind);
      throw error;
    }
  };
  // The types of what is read are checked where functions are declared; here every kind is just a kind.
  const reader = {
    get: async (kind: Kind, at: { readonly name: string; readonly namespace?: string | undefined }) => {
      refuseSlot(kind);
      check(kind, "get");
      return getOne(kind, at);
    },
    list: async (kind: Kind, where: Where = {}) => {
      refuseSlot(kind);
      check(kind, "list");
      return listAll(kind, where);
    },
    object: (slot: Slot, { name: named, namespace, ...what }: SlotPlace) =>
      within(slot, what, "get", (kind) =>
        getOne(kind, { name: named, ...(kind.scope !== "Cluster" && { namespace }) }),
      ),
    objects: (slot: Slot, where: NamedKind & Where) =>
      within(slot, where, "list", (kind) => listAll(kind, where)),
    knows: async (slot: Slot, what: NamedKind) => {
      check(slot, "get");
      const kind = await of.slots.lookUp(slot, what, of.declaration);
      return kind && { scope: kind.scope };
    },
  };
  const exec = async (
    { kind, metadata }: AnyObject,
    container: string,
    command: readonly string[],
    { maximumBytes }: { readonly maximumBytes: number },
  ) => {
    if (of.declaration.executes === undefined)
      throw new DeclarationError(
        "UNDECLARED_READ",
        `${name} runs a command in ${kind} ${metadata.name}: say why in its declaration (executes: "why").`,
      );
    const { exitCode, stdout } = await of.client.exec(metadata, container, command, {
      maximumBytes,
      signal: of.signal,
    });
    return { exitCode, stdout: new Sealed(stdout) };
  };
  return {
    exec: (...given: Parameters<typeof exec>) => looked(exec(...given)),
    get: (...given: Parameters<typeof reader.get>) => looked(reader.get(...given)),
    list: (...given: Parameters<typeof reader.list>) => looked(reader.list(...given)),
    object: (...given: Parameters<typeof reader.object>) => looked(reader.object(...given)),
    objects: (...given: Parameters<typeof reader.objects>) => looked(reader.objects(...given)),
    knows: (...given: Parameters<typeof reader.knows>) => looked(reader.knows(...given)),
  } as Reader<string>;
}

/**
 * A function may start several reads and stop at the first that fails: the others' errors are its errors too, and no reason to end the
 * host. Whoever awaits them still gets them.
 */
const looked = <T>(reading: Promise<T>): Promise<T> => {
  reading.catch(() => undefined);
  return reading;
};
