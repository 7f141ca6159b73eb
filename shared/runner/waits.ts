import type { WaitedObject } from "../bus/contract.ts";
import type { Ending, FunctionDeclaration, Wait } from "../function/declaration.ts";
import { awaitedSlots } from "../function/slots.ts";
import { DeclarationError } from "../function/system.ts";
import { parseApiVersion } from "../kube/object.ts";
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
      const scope = this.#watched.get(idOf(object))?.scope ?? (await this.#slotScope(declaration, object));
      if (scope === undefined)
        throw new DeclarationError(
          "OUTCOME_WAIT",
          `${declaration.name} waits for ${kind} ${name}, whose changes nobody watches: add changed(${kind}) to its wakes, or declare a slot that admits the kind as awaited(Slot, "why").`,
        );
      if (scope === "Namespaced" && namespace === undefined)
        throw new DeclarationError(
          "OUTCOME_WAIT",
          `${declaration.name} waits for ${kind} ${name} without saying in which namespace: add it to the wait's object.`,
        );
    }
  }

  /** True where a change of the object wakes who waits for it. Of a slot's kind this is known once it was read or written. */
  hears(declaration: FunctionDeclaration, object: NamedKind): boolean {
    return this.#watched.has(idOf(object)) || this.#known(declaration, object) !== undefined;
  }

  /** The objects of these waits, as the bus keeps them. */
  objectsOf(declaration: FunctionDeclaration, waits: readonly Wait[]): readonly WaitedObject[] {
    return waits.flatMap(({ object }) => (object === undefined ? [] : [this.#waited(declaration, object)]));
  }

  #waited(declaration: FunctionDeclaration, object: Awaited): WaitedObject {
    const { group, version } = parseApiVersion(object.apiVersion);
    const { kind, name } = object;
    const watched = this.#watched.get(idOf(object));
    const scope = watched?.scope ?? this.#known(declaration, object)?.resource?.scope;
    const namespace = scope === "Cluster" ? undefined : object.namespace;
    // A version makes the watcher follow the object while somebody waits for it.
    return {
      cluster: this.#cluster,
      group,
      kind,
      namespace,
      name,
      ...(watched?.selected !== false && { version }),
    };
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
