import type { Duration } from "../clock/time.ts";
import type { AtHome } from "../kube/clusters.ts";
import type { At, FactsOf, Kind, Obj, ShapeOf, Slot } from "../kube/kind.ts";
import type { EventType } from "./event-type.ts";

declare const leadsTo: unique symbol;
declare const readable: unique symbol;

/** The time over which wakes are spread: always the same, or as the configuration of the system says. */
export type Spread = Duration | ((config: never) => Duration);

/**
 * A line of a declaration: the changes that wake the function. `Target` is the kind of its key: a wake can only lead there.
 * `Source` may then be read.
 */
export interface Wake<Target extends Kind = Kind, Source extends string = string> {
  readonly on: "changed" | "ready" | "event";
  /** The id of the source's kind, or of the event type. */
  readonly source: string;
  readonly kind?: Kind;
  readonly event?: EventType;
  readonly to: "owner" | "name" | "every" | "each";
  /** The time over which the wakes are spread, for roll-outs. */
  readonly spread?: Spread;
  /** True for a dependant that wakes at once nevertheless. */
  readonly atOnce?: (dependant: never, said: never) => boolean;
  /** True for the steps of the source that matter, judged by its facts alone before dependants are looked up. */
  readonly when?: (said: never) => boolean;
  /** Narrows the look-up to dependants in the source's namespace, or of its name: the server picks them. */
  readonly same?: "namespace" | "name";
  /** Narrows the look-up by what the source says: the server picks the dependants. Undefined: that state has none. */
  readonly where?: (said: never) => Selection | undefined;
  /** The name of the one object that wakes, by the source's facts. */
  readonly name?: (
    said: never,
  ) => { readonly name: string; readonly namespace?: string | undefined } | undefined;
  /** True for a dependant that wakes. */
  readonly matches?: (dependant: never, said: never) => boolean;
  /** The thing that all dependants which the server picks have in common: where they differ, none of them wakes. */
  readonly sole?: (dependant: never) => string;
  /** The kind that the wake leads to: a type, never a value. */
  readonly [leadsTo]?: (target: Target) => void;
  readonly [readable]?: Source;
}

/** The dependants that the server picks: by their place, by their labels. */
export interface Selection {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** An event's words about its source: its place, its facts, and the facts that it had before. */
export type Said<S extends Kind> = FactsOf<S> & {
  readonly name: string;
  readonly namespace: string;
  readonly cluster: string;
  readonly ready: boolean;
  readonly gone: boolean;
  /** The facts last published; undefined where it is new. */
  readonly was: FactsOf<S> | undefined;
};

/**
 * True where a step of the source matters. It is asked for each step from one state to the next (`was`, absent where it is new or
 * gone); one that throws, and a source that tells less than it was, count as true.
 */
export type When<S extends Kind> = (said: Said<S>) => boolean;

/** The source of a wake; its methods say which keys a change leads to. */
export interface Source<S extends Kind> {
  /** Wakes the owner (of the key's kind) named in its ownerReferences. */
  toOwner(): Wake<Kind, S["id"]>;
  /**
   * Wakes the object whose name follows from the facts; asked for the facts before and after, so the one that lost it wakes too.
   */
  toName<T extends Kind>(
    name: (said: Said<S>) => At<T> | undefined,
    options?: { readonly when?: When<S> },
  ): Wake<T, S["id"]>;
  /** Wakes every object, or every group, of the function's key. */
  toEvery(options?: { readonly spread?: Duration; readonly when?: When<S> }): Wake<Kind, S["id"]>;
  /**
   * Wakes the dependants that match. Asked for the facts that were last published, those seen since, and the present; beyond 16,
   * or after a compare, it counts as true; one that throws counts as true.
   */
  toEach<T extends Kind>(
    matches: (dependant: Obj<T>, said: Said<S>) => boolean,
    options?: {
      readonly spread?: Spread;
      /** True for those that a spread does not hold up: they wait for just that. One that throws counts as false. */
      readonly atOnce?: (dependant: Obj<T>, said: Said<S>) => boolean;
      readonly when?: When<S>;
      readonly same?: "namespace" | "name";
      /**
       * The dependants that a state of the source concerns, by place or labels: the server picks them, so that no others are listed.
       * Where the facts may be incomplete, or it throws, all are. `same` holds even then.
       */
      readonly where?: (said: Said<S>) => Selection | undefined;
    },
  ): Wake<T, S["id"]>;
}

const source = <S extends Kind>(on: "changed" | "ready", kind: S): Source<S> => {
  const wake = <T extends Kind>(more: Pick<Wake, "to"> & Partial<Wake>): Wake<T, S["id"]> => ({
    on,
    source: kind.id,
    kind,
    ...more,
  });
  return {
    toOwner: () => wake({ to: "owner" }),
    toName: (name, options) => wake({ to: "name", name, ...options }),
    toEvery: (options) => wake({ to: "every", ...options }),
    toEach: (matches, options) => wake({ to: "each", matches, ...options }),
  };
};

/**
 * Wakes where an object's facts changed, where it appeared, or where it went.
 *
 * @example A change of a Factor wakes the Widgets of its namespace that name it
 * ```ts
 * import { changed, each } from "reveille";
 * import { Factor, Widget } from "./kinds.ts";
 *
 * export const multiply = each(Widget).function({
 *   name: "multiply",
 *   wakes: [changed(Factor).toEach((widget, factor) => widget.spec.factor === factor.name, { same: "namespace" })],
 *   observe: async ({ self, read }) => ({
 *     factor: await read.get(Factor, { name: self.spec.factor, namespace: self.metadata.namespace }),
 *   }),
 *   reconcile: ({ self, factor }) => ({
 *     status: {
 *       observedGeneration: self.metadata.generation,
 *       ...(factor && { result: self.spec.value * factor.spec.by }),
 *       conditions: [{ type: "Ready", status: factor ? "True" : "False", reason: "Multiplied" }],
 *     },
 *   }),
 * });
 * ```
 */
export const changed = <S extends Kind>(kind: S & AtHome<S>): Source<S> => source<S>("changed", kind);
/**
 * Wakes where an object became ready, or stopped being ready; its kind says when it is (`ready` of `defineKind`).
 *
 * @example
 * ```ts
 * import { each, ready } from "reveille";
 * import { Deployment } from "reveille/kinds";
 * import { Widget } from "./kinds.ts";
 *
 * export const follow = each(Widget).function({
 *   name: "follow",
 *   wakes: [ready(Deployment).toName((deployment) => ({ name: deployment.name, namespace: deployment.namespace }))],
 *   observe: async ({ self, read }) => ({
 *     deployment: await read.get(Deployment, { name: self.metadata.name, namespace: self.metadata.namespace }),
 *   }),
 *   reconcile: ({ self, deployment }) => ({
 *     status: {
 *       observedGeneration: self.metadata.generation,
 *       conditions: [{ type: "Ready", status: deployment?.status?.readyReplicas ? "True" : "False", reason: "Followed" }],
 *     },
 *   }),
 * });
 * ```
 */
export const ready = <S extends Kind>(kind: S & AtHome<S>): Source<S> => source<S>("ready", kind);
/** Wakes at an event that has no object (`defineEvent`). */
export const on = <Payload>(event: EventType<string, Payload>) => ({
  /** Wakes the dependants that match; with `where` the server picks them first. */
  toEach: <T extends Kind>(
    matches: (dependant: Obj<T>, payload: Payload) => boolean,
    options?: {
      readonly where?: (payload: Payload) => Selection | undefined;
      /** The thing that all whom the server picks have in common. Where they differ the event names nobody: it is logged, and none wakes. */
      readonly sole?: (dependant: Obj<T>) => string;
    },
  ): Wake<T, never> => ({
    on: "event",
    source: event.id,
    event,
    to: "each",
    matches,
    ...options,
  }),
  /** Wakes the object that the payload names; none where it names none. */
  toName: <T extends Kind>(name: (payload: Payload) => At<T> | undefined): Wake<T, never> => ({
    on: "event",
    source: event.id,
    event,
    to: "name",
    name,
  }),
});

/** A kind that a function reads or writes without waking on it, and the reason why that is right. */
export interface Unwatched<K extends Kind = Kind> {
  readonly unwatched: string;
  readonly kind: K;
  readonly id: K["id"];
}
/**
 * Declares a kind that a function reads or writes, and whose changes need not wake it; the second argument says why.
 *
 * @example
 * ```ts
 * import { each, own, unwatched } from "reveille";
 * import { ConfigMap, Node } from "reveille/kinds";
 * import { Widget } from "./kinds.ts";
 *
 * export const count = each(Widget).function({
 *   name: "count",
 *   reads: [unwatched(Node, "the number is only a hint for people")],
 *   owns: [ConfigMap],
 *   observe: async ({ read }) => ({ nodes: await read.list(Node) }),
 *   reconcile: ({ self, nodes }) => ({
 *     effects: own(self, ConfigMap, { metadata: { name: self.metadata.name }, data: { nodes: `${nodes.length}` } }),
 *   }),
 * });
 * ```
 */
export const unwatched = <K extends Kind>(kind: K, why: string): Unwatched<K> => ({
  unwatched: why,
  kind,
  id: kind.id,
});

/** A slot or a kind of other clusters whose objects may be waited for, and the reason why their changes matter then alone. */
export interface Awaited<K extends Kind = Kind> extends Unwatched<K> {
  readonly awaited: true;
}
/** The compiler's message for a kind that can be woken on. */
type Awaitable<K extends Kind> = K extends Slot
  ? unknown
  : ShapeOf<K>["place"] extends "home"
    ? { readonly "this kind is watched: add changed(Kind) to wakes": K["id"] }
    : unknown;
/**
 * Declares a slot, or a kind of other clusters, of which objects may be waited for: such an object is followed from the moment when
 * `waitingFor` names it until nobody waits for it any more. Otherwise changes of such objects wake nobody; the second argument says
 * why that is right.
 *
 * @example
 * ```ts
 * import { apply, awaited, defineDynamic, defineSystem, each } from "reveille";
 * import * as z from "zod";
 * import { Widget } from "./kinds.ts";
 *
 * class Part extends defineDynamic("awaited-part") {}
 *
 * const assemble = each(Widget).function({
 *   name: "assemble-and-wait",
 *   writes: [awaited(Part, "followed while a Widget waits for one of its parts")],
 *   reconcile: ({ self }) => {
 *     const { name, namespace } = self.metadata;
 *     const part = { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace } as const;
 *     return {
 *       effects: apply(Part, {
 *         apiVersion: part.apiVersion,
 *         kind: part.kind,
 *         metadata: { name, namespace },
 *         spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
 *       }),
 *       waitingFor: [{ for: `claim ${name} to be bound`, object: part }],
 *     };
 *   },
 * });
 *
 * export const system = defineSystem({
 *   name: "awaited-parts",
 *   functions: [assemble],
 *   config: z.object({ kinds: z.array(z.string()).default(["persistentvolumeclaims"]) }),
 *   admits: (config) => ({ "awaited-part": config.kinds }),
 * });
 * ```
 */
export const awaited = <K extends Kind>(kind: K & Awaitable<K>, why: string): Awaited<K> => ({
  ...unwatched<K>(kind, why),
  awaited: true,
});
