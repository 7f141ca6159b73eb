import type { WaitedObject } from "../bus/contract.ts";
import type { Ending, FunctionDeclaration } from "../function/declaration.ts";
import { awaitedElsewhere, awaitedSlots } from "../function/slots.ts";
import { DeclarationError } from "../function/system.ts";
import type { Wait } from "../function/wait.ts";
import { clusterOnBus, connectionIn, parseReference } from "../kube/cluster-names.ts";
import type { Kind } from "../kube/kind.ts";
import { parseApiVersion } from "../kube/object.ts";
import { declaredClusters } from "./rights.ts";
import type { NamedKind, SlotKinds } from "./slot-kinds.ts";
import { watchListOf } from "./watch-list-of.ts";

/**
 * The kinds whose changes are watched, by `<group>/<kind>`. `selected`: only those of objects with some labels, so that an object which is
 * waited for is followed besides.
 */
export type Watched = ReadonlyMap<
  string,
  { readonly scope: "Namespaced" | "Cluster"; readonly selected: boolean }
>;

/** The kinds that these functions watch. */
export function watchedBy(functions: readonly FunctionDeclaration[]): Watched {
  const { kinds } = watchListOf(functions);
  return new Map(
    kinds.map(({ group, kind, scope, labelSelector }) => [
      `${group}/${kind}`,
      { scope, selected: labelSelector !== undefined },
    ]),
  );
}

type Awaited = NonNullable<Wait["object"]>;

const idOf = ({ apiVersion, kind }: NamedKind): string => `${parseApiVersion(apiVersion).group}/${kind}`;

/** True for the connection to a cluster that the function has to do with. */
function connectionFor(declaration: FunctionDeclaration, { apiVersion, kind, name }: Awaited): boolean {
  const { group } = parseApiVersion(apiVersion);
  const reference = connectionIn({ group, kind, name });
  const id = reference && parseReference(reference)?.id;
  return id !== undefined && declaredClusters(declaration).some((one) => one.id === id);
}

/** The awaited kinds and slots of the cluster that the object lies in. */
function awaitedIn(declaration: FunctionDeclaration, { cluster = "@:" }: Awaited) {
  const parsed = parseReference(cluster);
  const kinds = awaitedElsewhere(declaration).filter(({ clusters }) => clusters?.id === parsed?.id);
  return { kinds, cluster: parsed?.cluster ?? "" };
}

const kindElsewhere = (declaration: FunctionDeclaration, object: Awaited): Kind | undefined =>
  awaitedIn(declaration, object).kinds.find(
    ({ dynamic, group, kind }) => !dynamic && `${group}/${kind}` === idOf(object),
  );

function slotsElsewhere(declaration: FunctionDeclaration, object: Awaited) {
  const { kinds, cluster } = awaitedIn(declaration, object);
  return { slots: kinds.filter(({ dynamic }) => dynamic), cluster };
}

/** The objects that functions may wait for: of watched kinds, and of kinds that an awaited slot admits. */
export class Waits {
  readonly #watched: Watched;
  readonly #slots: SlotKinds;
  readonly #cluster: string;

  constructor(of: { readonly watched: Watched; readonly slots: SlotKinds; readonly cluster: string }) {
    this.#watched = of.watched;
    this.#slots = of.slots;
    this.#cluster = of.cluster;
  }

  /** Refuses to wait for what would never be heard of: an object of a kind that nobody follows, or one without its place. */
  async check(declaration: FunctionDeclaration, { waitingFor }: Ending): Promise<void> {
    for (const { object } of waitingFor ?? []) {
      if (object === undefined) continue;
      const { kind, name, namespace } = object;
      const scope = await this.#scopeOf(declaration, object);
      if (scope === undefined)
        throw new DeclarationError(
          "OUTCOME_WAIT",
          object.cluster === undefined
            ? `${declaration.name} waits for ${kind} ${name}, whose changes nobody watches: add changed(${kind}) to its wakes, or declare a slot that admits the kind as awaited(Slot, "why").`
            : `${declaration.name} waits for ${kind} ${name} in ${object.cluster}, where it waits for no such kind: declare it, or a slot that admits it, as awaited(Kind, "why").`,
        );
      if (scope === "Namespaced" && namespace === undefined)
        throw new DeclarationError(
          "OUTCOME_WAIT",
          `${declaration.name} waits for ${kind} ${name} without saying in which namespace: add it to the wait's object.`,
        );
    }
  }

  /** True where a change of the object wakes who waits for it. Of a slot's kind this is known once it was read or written. */
  hears(declaration: FunctionDeclaration, object: Awaited): boolean {
    if (connectionFor(declaration, object)) return true;
    if (object.cluster !== undefined) return this.#elsewhere(declaration, object) !== undefined;
    return this.#watched.has(idOf(object)) || this.#known(declaration, object) !== undefined;
  }

  /** The objects of these waits, as the bus keeps them. */
  objectsOf(declaration: FunctionDeclaration, waits: readonly Wait[]): readonly WaitedObject[] {
    return waits.flatMap(({ object }) => (object === undefined ? [] : [this.#waited(declaration, object)]));
  }

  #waited(declaration: FunctionDeclaration, object: Awaited): WaitedObject {
    const { group, version } = parseApiVersion(object.apiVersion);
    const { kind, name } = object;
    const isElsewhere = object.cluster !== undefined;
    const watched = isElsewhere ? undefined : this.#watched.get(idOf(object));
    const scope = isElsewhere
      ? this.#elsewhere(declaration, object)
      : (watched?.scope ?? this.#known(declaration, object)?.resource?.scope);
    const namespace = scope === "Cluster" ? undefined : object.namespace;
    // A version makes the watcher follow the object while somebody waits for it.
    return {
      cluster: clusterOnBus(this.#cluster, object.cluster),
      group,
      kind,
      namespace,
      name,
      ...(watched?.selected !== false && { version }),
    };
  }

  async #scopeOf(declaration: FunctionDeclaration, object: Awaited): Promise<Kind["scope"] | undefined> {
    if (connectionFor(declaration, object)) return "Cluster";
    if (object.cluster === undefined)
      return this.#watched.get(idOf(object))?.scope ?? (await this.#slotScope(declaration, object));
    const kind = kindElsewhere(declaration, object);
    if (kind !== undefined) return kind.scope;
    const at = slotsElsewhere(declaration, object);
    const [first] = at.slots;
    if (first === undefined) return undefined;
    const ids = at.slots.map(({ id }) => id);
    const found = await this.#slots.admits(ids, object, declaration, { slot: first, cluster: at.cluster });
    return found && (found.resource?.scope ?? "Any");
  }

  /** The scope of a kind in another cluster that the function may wait for, as far as it is known; `Any`: not yet. */
  #elsewhere(declaration: FunctionDeclaration, object: Awaited): Kind["scope"] | undefined {
    const kind = kindElsewhere(declaration, object);
    if (kind !== undefined) return kind.scope;
    const { slots, cluster } = slotsElsewhere(declaration, object);
    const [first] = slots;
    if (first === undefined) return undefined;
    const ids = slots.map(({ id }) => id);
    const known = this.#slots.knownTo(ids, object, declaration, { slot: first, cluster });
    return known && (known.resource?.scope ?? "Any");
  }

  /** A kind that the server does not know (yet) may be waited for: then the place is taken as it is given. */
  async #slotScope(declaration: FunctionDeclaration, object: Awaited) {
    const slots = awaitedSlots(declaration);
    const admitted = slots.length === 0 ? undefined : await this.#slots.admits(slots, object, declaration);
    return admitted && (admitted.resource?.scope ?? "Any");
  }

  #known(declaration: FunctionDeclaration, object: NamedKind): ReturnType<SlotKinds["knownTo"]> {
    const slots = awaitedSlots(declaration);
    return slots.length === 0 ? undefined : this.#slots.knownTo(slots, object, declaration);
  }
}
