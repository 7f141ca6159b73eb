import type { FunctionDeclaration, Verb } from "../function/declaration.ts";
import { subjectOf } from "../function/key.ts";
import type { ClusterState, Reader, Where as Selected } from "../function/reader.ts";
import { Sealed } from "../function/sealed.ts";
import { isSlot } from "../function/slots.ts";
import { DeclarationError } from "../function/system.ts";
import { noteUnreadable } from "../function/unreadable.ts";
import type { KubeClient, ListOptions, ListPage } from "../kube/client.ts";
import { type ClustersStatics, connectionObject, referenceOf } from "../kube/cluster-names.ts";
import { KubeError } from "../kube/errors.ts";
import { type AnyObject, type Kind, resourceOf, type Slot } from "../kube/kind.ts";
import type { KubeObject } from "../kube/object.ts";
import { parseObject, UnreadableObjectError } from "../kube/read.ts";
import { isNewer } from "../kube/resource-version.ts";
import type { SlotPlace } from "../kube/slot.ts";
import { type Clients, clientAt } from "./clients.ts";
import { StaleError } from "./errors.ts";
import type { KnownObjects } from "./known-objects.ts";
import type { Recorder } from "./recorder.ts";
import { idOf, type Right } from "./rights.ts";
import type { NamedKind, SlotKinds } from "./slot-kinds.ts";

interface Where extends Selected {
  readonly cluster?: string;
}

interface Placed {
  readonly cluster?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name: string;
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
  unreadable: UnreadableObjectError[],
  cluster?: string | undefined,
): AnyObject | undefined {
  try {
    return parseObject(kind, raw, cluster);
  } catch (thrown) {
    if (!(thrown instanceof UnreadableObjectError)) throw thrown;
    recorder.unread.set(subjectOf(kind, { ...raw.metadata, cluster }), thrown);
    unreadable.push(thrown);
    return undefined;
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
  [Method in "kindFor" | "lookUp"]: (
    slot: Slot,
    what: NamedKind,
    of: D,
    cluster?: string | undefined,
  ) => ReturnType<SlotKinds[Method]>;
} & Pick<SlotKinds, "forget">;

/** The reads of one run or question: of declared kinds only, fresh, recorded. */
export function createReader<
  D extends Pick<FunctionDeclaration, "name"> & Partial<Pick<FunctionDeclaration, "executes">>,
>(
  of: Clients & {
    readonly declaration: D;
    readonly slots: SlotsFor<D>;
    readonly rights: ReadonlyMap<string, Right>;
    readonly recorder: Recorder;
    readonly signal: AbortSignal;
    readonly known: KnownObjects;
    /** Absent: the whole cluster. */
    readonly namespaces?: readonly string[] | undefined;
  },
): Reader<string> {
  const { name } = of.declaration;
  const check = (kind: Kind, verb: Verb): void => {
    const right = of.rights.get(idOf(kind));
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
  const getOne = async (kind: Kind, at: Placed): Promise<AnyObject | undefined> => {
    const { cluster, ...place } = at;
    const raw = await clientAt(of, kind, cluster).get(resourceOf(kind), place, { signal: of.signal });
    const subject = subjectOf(kind, at);
    of.recorder.read({ subject, uid: raw?.metadata.uid, resourceVersion: raw?.metadata.resourceVersion });
    if (raw === undefined) return undefined;
    rememberRead(of.known, subject, raw);
    return parseObject(kind, raw, cluster);
  };
  /** Hands each page to `came`; resolves with the objects that could not be read. */
  const eachPage = async (
    kind: Kind,
    where: Where,
    came: (
      objects: () => readonly AnyObject[],
      raws: readonly KubeObject[],
      weight: number | undefined,
    ) => void,
  ): Promise<readonly UnreadableObjectError[]> => {
    const { cluster, namespace } = where;
    const labelSelector =
      where.labels === undefined
        ? undefined
        : Object.entries(where.labels)
            .map(([label, value]) => (value === null ? `!${label}` : `${label}=${value}`))
            .join(",");
    const unreadable: UnreadableObjectError[] = [];
    const fieldSelector = where.name === undefined ? undefined : `metadata.name=${where.name}`;
    const options = { labelSelector, fieldSelector, signal: of.signal };
    // The namespaces that are served are those of the home.
    const served = kind.clusters === undefined ? of.namespaces : undefined;
    const client = clientAt(of, kind, cluster);
    for await (const page of pagesIn(client, kind, namespace, served, options)) {
      const kept = page.items.filter(
        ({ metadata }) =>
          where.ownedBy === undefined ||
          metadata.ownerReferences?.some(({ uid }) => uid === where.ownedBy?.metadata.uid),
      );
      came(
        () => kept.flatMap((raw) => readOne(kind, raw, of.recorder, unreadable, cluster) ?? []),
        kept,
        page.weight,
      );
    }
    return unreadable;
  };
  const placeOf = (kind: Kind, { cluster, namespace }: Where): string =>
    subjectOf(kind, { cluster, namespace, name: "*" });
  const listAll = async (kind: Kind, where: Where): Promise<readonly AnyObject[]> => {
    const selected = where.labels !== undefined || where.name !== undefined || where.ownedBy !== undefined;
    of.recorder.listed(placeOf(kind, where), selected);
    const found: AnyObject[] = [];
    const unreadable = await eachPage(kind, where, (objects, raws, weight) => {
      for (const raw of raws)
        rememberRead(of.known, subjectOf(kind, { ...raw.metadata, cluster: where.cluster }), raw);
      of.known.came(weight);
      found.push(...objects());
    });
    return noteUnreadable(found, unreadable);
  };
  const pickAll = async <T>(
    kind: Kind,
    where: Where,
    part: (object: AnyObject) => T,
  ): Promise<readonly T[]> => {
    // Nothing is known of what is not kept: as of a list that shows only some, no absence follows from it.
    of.recorder.listed(placeOf(kind, where), true);
    const parts: T[] = [];
    const unreadable = await eachPage(kind, where, (objects) => {
      for (const object of objects()) {
        const picked = part(object);
        of.known.picked(kind, picked);
        parts.push(picked);
      }
    });
    return noteUnreadable(parts, unreadable);
  };
  const refuseSlot = (kind: Kind): void => {
    if (isSlot(kind))
      throw new DeclarationError(
        "UNDECLARED_READ",
        `${name} reads ${kind.id}, which is a slot: use read.object or read.objects, which are told the kind.`,
      );
  };
  /** Reads a kind that the slot admits. A kind that proves unknown after all is asked for anew next time. */
  const within = async <T>(
    slot: Slot,
    { cluster, ...what }: NamedKind & { readonly cluster?: string },
    verb: Verb,
    read: (kind: Kind) => Promise<T>,
  ) => {
    check(slot, verb);
    const kind = await of.slots.kindFor(slot, what, of.declaration, cluster);
    try {
      return await read(kind);
    } catch (error) {
      if (error instanceof KubeError && error.kind === "kindMissing") of.slots.forget(kind, cluster);
      throw error;
    }
  };
  // The types of what is read are checked where functions are declared; here every kind is just a kind.
  const reader = {
    get: async (kind: Kind, at: Placed) => {
      refuseSlot(kind);
      check(kind, "get");
      return getOne(kind, at);
    },
    list: async (kind: Kind, where: Where = {}) => {
      refuseSlot(kind);
      check(kind, "list");
      return listAll(kind, where);
    },
    pick: async <T>(kind: Kind, where: Where, part: (object: AnyObject) => T) => {
      refuseSlot(kind);
      check(kind, "list");
      return pickAll(kind, where, part);
    },
    object: (slot: Slot, { namespace, ...what }: SlotPlace & { readonly cluster?: string }) =>
      within(slot, what, "get", (kind) =>
        getOne(kind, {
          cluster: what.cluster,
          name: what.name,
          ...(kind.scope !== "Cluster" && { namespace }),
        }),
      ),
    objects: (slot: Slot, where: NamedKind & Where) =>
      within(slot, where, "list", (kind) => listAll(kind, where)),
    knows: async (slot: Slot, { cluster, ...what }: NamedKind & { readonly cluster?: string }) => {
      check(slot, "get");
      const kind = await of.slots.lookUp(slot, what, of.declaration, cluster);
      return kind && { scope: kind.scope };
    },
    cluster: async (clusters: ClustersStatics, cluster: string): Promise<ClusterState> => {
      if (![...of.rights.values()].some(({ kind }) => kind.clusters?.id === clusters.id))
        throw new DeclarationError(
          "UNDECLARED_READ",
          `${name} asks for the state of a ${clusters.id} cluster, and declares no kind of them: add one to its reads or writes.`,
        );
      const reference = referenceOf(clusters, cluster);
      const standing = await of.others?.at(clusters, cluster).look();
      const { state, reason, isUnmarked } = standing ?? UNREACHED;
      if (state === "reachable") of.recorder.foundThere.add(reference);
      const object = connectionObject(reference, state);
      const words =
        state === "reachable" ? `${object.name} to be lost` : `${object.name} to be reached (${reason})`;
      const wait = { for: words, object };
      return { state, cluster, reason, ...(isUnmarked === true && { isUnmarked }), wait };
    },
  };
  const exec = async (
    { kind, metadata }: AnyObject,
    container: string,
    command: readonly string[],
    { maximumBytes }: { readonly maximumBytes: number },
  ) => {
    if (metadata.cluster !== undefined)
      throw new DeclarationError(
        "UNDECLARED_READ",
        `${name} runs a command in ${kind} ${metadata.name} of the cluster ${metadata.cluster}: commands are run at home alone.`,
      );
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
    pick: <T>(...given: Parameters<typeof reader.pick<T>>) => looked(reader.pick(...given)),
    object: (...given: Parameters<typeof reader.object>) => looked(reader.object(...given)),
    objects: (...given: Parameters<typeof reader.objects>) => looked(reader.objects(...given)),
    knows: (...given: Parameters<typeof reader.knows>) => looked(reader.knows(...given)),
    cluster: (...given: Parameters<typeof reader.cluster>) => looked(reader.cluster(...given)),
  } as Reader<string>;
}

const UNREACHED = { state: "unreachable", reason: "nothing here reaches it", isUnmarked: false } as const;

/**
 * A function may start several reads and stop at the first that fails: the others' errors are its errors too, and no reason to end the
 * host. Whoever awaits them still gets them.
 */
const looked = <T>(reading: Promise<T>): Promise<T> => {
  reading.catch(() => undefined);
  return reading;
};
