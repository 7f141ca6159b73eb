import type { KubeObject } from "../../shared/kube/object.ts";
import { isTrue, typesOf } from "./crd/definition.ts";
import type { ApiObject, Registry, ResourceType, Strategy } from "./resource-type.ts";
import type { Store } from "./store/store.ts";
import { compareVersions } from "./version-order.ts";

export const definitionsResource = "apiextensions.k8s.io/customresourcedefinitions";

const place = (group: string, version: string, plural: string): string => `${group}/${version}/${plural}`;

/** Strategies of the kinds that the server itself looks after, by plural or `group/plural`. */
export type Lifecycles = (registry: Registry) => Readonly<Record<string, Strategy>>;

/** The registry that the server itself holds: built-ins, and the CRDs in the store. */
export class Catalogue implements Registry {
  readonly #store: Store;
  readonly #lifecycles: Readonly<Record<string, Strategy>>;
  readonly #builtIns: readonly ResourceType[];
  #all: readonly ResourceType[] = [];
  #byPlace = new Map<string, ResourceType>();
  #byKind = new Map<string, ResourceType>();
  #revision = "0";
  /** The types of each CRD. Where no change of it left them the same, they stay the same values: caches hang on them. */
  readonly #made = new Map<string, { readonly text: string; readonly types: readonly ResourceType[] }>();

  constructor(store: Store, builtIns: readonly ResourceType[], lifecycles: Lifecycles) {
    this.#store = store;
    this.#lifecycles = lifecycles(this);
    this.#builtIns = builtIns.map((type) => this.#withLifecycle(type));
    this.refresh();
  }

  /** Reads the CRDs anew. */
  refresh(): void {
    const custom = this.#store.list(definitionsResource, "").flatMap(({ key, text }) => {
      const definition = JSON.parse(text) as KubeObject;
      // Only what the types are made of: a status update must not end caches.
      const source = JSON.stringify([
        definition.spec,
        isTrue(definition, "Established"),
        definition.metadata.deletionTimestamp,
      ]);
      let made = this.#made.get(key);
      if (made?.text !== source) {
        made = { text: source, types: typesOf(definition) };
        this.#made.set(key, made);
      }
      return made.types;
    });
    this.#all = [...this.#builtIns, ...custom];
    this.#byPlace = new Map(this.#all.map((type) => [place(type.group, type.version, type.plural), type]));
    this.#byKind = new Map(this.#all.map((type) => [place(type.group, type.version, type.kind), type]));
    this.#revision = `${this.#builtIns.length}-${this.#store.version}`;
  }

  find(group: string, version: string, plural: string): ResourceType | undefined {
    return this.#byPlace.get(place(group, version, plural));
  }
  findKind(group: string, version: string, kind: string): ResourceType | undefined {
    return this.#byKind.get(place(group, version, kind));
  }
  all(): readonly ResourceType[] {
    return this.#all;
  }
  groups(): readonly { readonly group: string; readonly versions: readonly string[] }[] {
    const groups = new Map<string, Set<string>>([["", new Set()]]);
    for (const type of this.#all)
      groups.set(type.group, (groups.get(type.group) ?? new Set()).add(type.version));
    return [...groups].map(([group, versions]) => ({ group, versions: [...versions].sort(compareVersions) }));
  }
  list(group: string, version: string): readonly ResourceType[] {
    return this.#all.filter((type) => type.group === group && type.version === version);
  }
  get revision(): string {
    return this.#revision;
  }

  /** Some kinds have a life that the server itself looks after, whoever declares their schema. */
  #withLifecycle(type: ResourceType): ResourceType {
    const own = this.#lifecycles[type.group === "" ? type.plural : `${type.group}/${type.plural}`];
    if (own === undefined) return type;
    const { strategy } = type;
    const both = (object: ApiObject): void => {
      strategy?.default?.(object);
      own.default?.(object);
    };
    // Getters of the declared type must stay lazy.
    return Object.defineProperties({} as ResourceType, {
      ...Object.getOwnPropertyDescriptors(type),
      strategy: { value: { ...strategy, ...own, default: both }, enumerable: true },
    });
  }
}
