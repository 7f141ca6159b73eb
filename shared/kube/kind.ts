import * as z from "zod";
import type { Resource } from "./client.ts";
import type { ClustersStatics } from "./cluster-names.ts";
import type { OwnerReference } from "./object.ts";
import {
  type Path,
  type Paths,
  pathRoot,
  type ReadyRule,
  type Segments,
  segmentsByName,
  type ValuesOf,
} from "./paths.ts";

/** Metadata of an object that was read: what the server left out is empty, never undefined. */
export interface Metadata {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly ownerReferences: readonly OwnerReference[];
}

/** The types of a kind, in one type parameter. */
export interface Shape {
  scope: "Namespaced" | "Cluster" | "Any";
  /** The cluster: `home`, or the id of other clusters. */
  place: string;
  /** True where somebody else installs the kind: then others write its objects too. */
  external: boolean;
  body: unknown;
  input: unknown;
  status: unknown;
  facts: unknown;
  engine: unknown;
}
declare const shape: unique symbol;

/** Any kind: what functions and the engine ask for. */
export interface Kind extends KindStatics {
  new (_: never): AnyObject;
  readonly prototype: AnyObject;
  readonly id: string;
  readonly [shape]?: Shape;
}

/** A kind is a class that nobody constructs: `class Widget extends defineKind({…}) {}` gives the value and the type, and errors say `Widget`. */
export interface KindClass<Id extends string, S extends Shape> extends KindStatics {
  new (_: never): ObjectOf<S>;
  readonly prototype: ObjectOf<S>;
  readonly id: Id;
  readonly [shape]?: S;
}

/** A printer column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly jsonPath: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly priority?: number;
  readonly description?: string;
  readonly format?: string;
}

/** A rule in CEL that the server checks. */
export interface Validation {
  readonly rule: string;
  readonly message: string;
}

/** The labels that objects must carry. */
export interface Selector {
  readonly labels: Readonly<Record<string, string>>;
}

/** A kind as plain data. */
export interface KindStatics {
  readonly group: string;
  readonly version: string;
  /** The versions that will do, the best first; `version` is the first of them. */
  readonly versions: readonly string[];
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: Shape["scope"];
  readonly place: string;
  /** The other clusters in which its objects lie; undefined for those of home. */
  readonly clusters?: ClustersStatics | undefined;
  /** True where somebody else installs the kind (Deployment): no CRD is made of it and its schema is loose. */
  readonly external: boolean;
  /** The labels of the objects whose changes matter; undefined: those of all. Reads are not narrowed by them. */
  readonly selector: Selector | undefined;
  readonly description: string;
  readonly columns: readonly Column[];
  /** Rules about the object as a whole; those about a part stand in the part's `.meta`. */
  readonly validations: readonly Validation[];
  /** Fact name → path. The watch list is generated from it. */
  readonly facts: Readonly<Record<string, Segments>>;
  readonly ready: ReadyRule | undefined;
  /** Spec paths that functions may write. */
  readonly engineOwned: Readonly<Record<string, Segments>>;
  /** The top-level fields, without apiVersion, kind, metadata and status. */
  readonly fields: z.ZodObject;
  /** The status's schema; undefined where the kind has no status subresource. */
  readonly status: z.ZodType | undefined;
  /** True for a slot: objects of any kind that the configuration names. */
  readonly dynamic: boolean;
}

/** The types of a kind. */
export type ShapeOf<K extends Kind> = NonNullable<K[typeof shape]>;
/** The status of a kind. */
export type StatusOf<K extends Kind> = ShapeOf<K>["status"];
/** The facts of a kind, by name. */
export type FactsOf<K extends Kind> = ShapeOf<K>["facts"];
/** The engine-owned fields of a kind, by name. */
export type EngineOf<K extends Kind> = ShapeOf<K>["engine"];

type Flat<T> = { [P in keyof T]: T[P] } & {};

/** The place of an object. Home objects need no cluster; an object of a remote kind cannot be named without one. */
export type At<K extends Kind> = PlaceOf<ShapeOf<K>>;
type PlaceOf<S extends Shape> = Flat<
  { readonly name: string } & (S["scope"] extends "Namespaced"
    ? { readonly namespace: string }
    : S["scope"] extends "Any"
      ? { readonly namespace?: string | undefined }
      : { readonly namespace?: never }) &
    (S["place"] extends "home" ? { readonly cluster?: never } : { readonly cluster: string })
>;

/** An object as it was read: it carries its uid and resourceVersion, so every write that names it is guarded. */
export type Obj<K extends Kind> = K["prototype"];
type ObjectOf<S extends Shape> = S["body"] & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata & PlaceOf<S>;
  readonly status?: S["status"];
};

/** Any object that was read. */
export interface AnyObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata & {
    readonly namespace?: string | undefined;
    readonly cluster?: string | undefined;
  };
  readonly status?: unknown;
}

interface WrittenMetadata {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}
/** The argument of `create`: the declared fields, and metadata that names a place. */
export type Body<K extends Kind> = ShapeOf<K>["input"] & {
  readonly metadata: At<K> &
    WrittenMetadata &
    (K extends Slot ? { readonly ownerReferences?: readonly OwnerReference[] | undefined } : unknown);
};
/** Some of the fields, at every depth; what is there has its type. */
type Part<T> = T extends readonly (infer Item)[]
  ? readonly Part<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]?: Part<T[Name]> | undefined }
    : T;
/**
 * The argument of `apply`: the same as for `create`, but any part of it for a kind that others define: `replicas` alone, or a
 * label in a pod template. The server refuses an object that is not there and would be incomplete.
 */
export type AppliedBody<K extends Kind> = ShapeOf<K>["external"] extends true
  ? Part<ShapeOf<K>["input"]> & Pick<Body<K>, "metadata">
  : Body<K>;
/** The argument of `replace`: its place is that of the object which was read. */
export type ReplacedBody<K extends Kind> = ShapeOf<K>["input"] & {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined } & WrittenMetadata & {
      readonly ownerReferences?: readonly OwnerReference[] | undefined;
    };
};
/** The argument of `own`: its namespace comes from the owner. */
export type OwnedBody<K extends Kind> = ShapeOf<K>["input"] & {
  readonly metadata: { readonly name: string } & WrittenMetadata;
};

type Fields = Readonly<Record<string, z.ZodType>>;
type Readable<F extends Fields, St> = z.output<z.ZodObject<F>> & {
  metadata: {
    name: string;
    namespace: string;
    generation: number;
    resourceVersion: string;
    creationTimestamp: string;
    deletionTimestamp?: string;
    labels: Record<string, string>;
    annotations: Record<string, string>;
  };
  status?: St;
};

/** The declaration of a kind, as `defineKind` takes it. */
export interface KindDeclaration<
  Id extends string,
  Scope extends "Namespaced" | "Cluster",
  F extends Fields,
  St extends z.ZodType,
  P,
  E,
  X extends boolean,
> {
  readonly group: string;
  /** For a kind that others install, it may be a list: the first version that the server offers is used, in every request. */
  readonly version: string | (X extends true ? readonly [string, ...string[]] : never);
  readonly kind: Id;
  readonly scope: Scope;
  /** The plural. Default: the kind in lower case with an `s`. */
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly description?: string;
  /** True where somebody else installs the kind: no CRD, and only the fields that are read need be declared. */
  readonly external?: X;
  /**
   * The labels of the objects whose changes matter, for a kind that others install: only these are watched. Two declarations of a kind
   * with different ones watch all. Reads are not narrowed.
   */
  readonly selector?: X extends true ? Selector : never;
  /** The top-level fields: `spec`, or `data` for a ConfigMap. `.meta({…})` carries descriptions and `x-kubernetes-*` into the CRD. */
  readonly fields: F;
  readonly status?: St;
  readonly columns?: readonly Column[];
  /** Rules about the object as a whole, where `self` is the object; those about a part stand in the part's `.meta`. */
  readonly validations?: readonly Validation[];
  /**
   * The paths that matter to others: only their change makes an event for other functions, and their values travel in it. Never
   * secrets.
   */
  readonly facts?: (it: Paths<Readable<F, z.output<St>>>) => P;
  /** The rule by which an object is ready; its flips become `dependency.ready` and `dependency.lost`. */
  readonly ready?: (it: Paths<Readable<F, z.output<St>>>) => ReadyRule;
  /** The paths of the spec that functions may write. */
  readonly engineOwned?: (it: Paths<Readable<F, z.output<St>>>) => E;
}

/**
 * Declares a kind once. From it come the TypeScript type, the CRD, the watch list and the reference page.
 *
 * @example
 * ```ts
 * import { defineKind } from "reveille";
 * import * as z from "zod";
 *
 * export class Lamp extends defineKind({
 *   group: "demo.example.org",
 *   version: "v1",
 *   kind: "Lamp",
 *   scope: "Namespaced",
 *   fields: { spec: z.object({ bright: z.boolean(), room: z.string() }) },
 *   status: z.object({ observedGeneration: z.int(), watts: z.int() }),
 *   columns: [{ name: "Watts", type: "integer", jsonPath: ".status.watts" }],
 *   facts: (it) => ({ room: it.spec.room }),
 * }) {}
 * ```
 */
export function defineKind<
  const Id extends string,
  const Scope extends "Namespaced" | "Cluster",
  F extends Fields,
  St extends z.ZodType = z.ZodNever,
  P extends Readonly<Record<string, Path<unknown> | undefined>> = Record<never, never>,
  E extends Readonly<Record<string, Path<unknown>>> = Record<never, never>,
  const X extends boolean = false,
>(
  declaration: KindDeclaration<Id, Scope, F, St, P, E, X>,
): KindClass<
  Id,
  {
    scope: Scope;
    place: "home";
    external: X;
    body: z.output<z.ZodObject<F>>;
    input: z.input<z.ZodObject<F>>;
    status: z.output<St>;
    facts: ValuesOf<P>;
    engine: ValuesOf<E>;
  }
> {
  const it = pathRoot<Readable<F, z.output<St>>>();
  const singular = declaration.kind.toLowerCase();
  const versions = [declaration.version].flat();
  const statics: KindStatics & { readonly id: Id } = {
    id: declaration.kind,
    group: declaration.group,
    version: versions[0] ?? "",
    versions,
    kind: declaration.kind,
    plural: declaration.plural ?? `${singular}s`,
    singular,
    shortNames: declaration.shortNames ?? [],
    categories: declaration.categories ?? [],
    scope: declaration.scope,
    place: "home",
    external: declaration.external ?? false,
    selector: declaration.selector,
    description: declaration.description ?? "",
    columns: declaration.columns ?? [],
    validations: declaration.validations ?? [],
    facts: segmentsByName(declaration.facts?.(it)),
    ready: declaration.ready?.(it),
    engineOwned: segmentsByName(declaration.engineOwned?.(it)),
    fields: z.object(declaration.fields),
    status: declaration.status,
    dynamic: false,
  };
  // The class is never constructed: its prototype's type stands for the objects.
  return Object.assign(class {}, statics) as unknown as ReturnType<
    typeof defineKind<Id, Scope, F, St, P, E, X>
  >;
}

type Labels = Readonly<Record<string, string>>;
type LabelFacts<L extends Labels> = { readonly [Name in keyof L]: string | undefined };

/** A kind with labels among its facts. */
export type WithLabels<K extends Kind, L extends Labels> = KindClass<
  K["id"],
  Omit<ShapeOf<K>, "facts"> & { facts: FactsOf<K> & LabelFacts<L> }
>;

/**
 * A kind that others declared, with labels of one's own choice among its facts.
 *
 * @param labels fact name → label
 * @example
 * ```ts
 * import { withLabels } from "reveille";
 * import { Pod } from "reveille/kinds";
 *
 * export class GardenPod extends withLabels(Pod, { garden: "example.org/garden" }) {}
 * ```
 */
export function withLabels<K extends Kind, const L extends Labels>(kind: K, labels: L): WithLabels<K, L> {
  const facts = { ...kind.facts };
  for (const [name, label] of Object.entries(labels)) facts[name] = ["metadata", "labels", label];
  const parent = kind as unknown as new () => object;
  return Object.assign(class extends parent {}, { facts }) as unknown as WithLabels<K, L>;
}

/** The resource of a kind: the address of requests about it. */
export const resourceOf = (kind: KindStatics): Resource => ({
  group: kind.group,
  version: kind.version,
  ...(kind.versions.length > 1 && { versions: kind.versions }),
  kind: kind.kind,
  plural: kind.plural,
  scope: kind.scope === "Cluster" ? "Cluster" : "Namespaced",
});

/** A slot: it stands for every kind that the configuration of a system admits to it. */
export interface Slot extends Kind {
  readonly dynamic: true;
}
