import type { Duration } from "../clock/time.ts";
import type { At, FactsOf, Kind, Obj } from "../kube/kind.ts";
import type { EventType } from "./event-type.ts";

declare const leadsTo: unique symbol;
declare const readable: unique symbol;

/** What wakes a function. `Target` is the kind of its key: a wake can only lead there. `Source` may then be read. */
export interface Wake<Target extends Kind = Kind, Source extends string = string> {
  readonly on: "changed" | "ready" | "event";
  /** The id of the source's kind, or of the event type. */
  readonly source: string;
  readonly kind?: Kind;
  readonly event?: EventType;
  readonly to: "owner" | "name" | "every" | "each";
  /** Over how long the wakes are strewn, for roll-outs. */
  readonly spread?: Duration;
  /** Which steps of the source matter, told by its facts alone: asked before dependants are looked up. */
  readonly when?: (said: never) => boolean;
  /** Only dependants in the source's namespace, or of its name, are looked up: the server picks them. */
  readonly same?: "namespace" | "name";
  readonly name?: (
    said: never,
  ) => { readonly name: string; readonly namespace?: string | undefined } | undefined;
  readonly matches?: (dependant: never, said: never) => boolean;
  readonly [leadsTo]?: (target: Target) => void;
  readonly [readable]?: Source;
}

/** What an event says about its source: its place, its facts, and the facts that it had before. */
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
 * Whether a step of the source matters to anybody. Asked for each step from one state to the next (`was`, absent where it is
 * new or gone); one that throws, and a source that tells less than it was, count as true.
 */
export type When<S extends Kind> = (said: Said<S>) => boolean;

/** Where a change of `S` leads. */
export interface Source<S extends Kind> {
  /** The owner (of the key's kind) named in its ownerReferences. */
  toOwner(): Wake<Kind, S["id"]>;
  /** The name follows from its facts; asked for the facts before and after, so the one that lost it wakes too. */
  toName<T extends Kind>(name: (said: Said<S>) => At<T> | undefined): Wake<T, S["id"]>;
  /** Every object, or every group, of the function's key. */
  toEvery(options?: { readonly spread?: Duration; readonly when?: When<S> }): Wake<Kind, S["id"]>;
  /**
   * Those that match. Asked for the facts that were last published, those seen since, and the present; beyond 16, or after a
   * compare, it counts as true; one that throws counts as true.
   */
  toEach<T extends Kind>(
    matches: (dependant: Obj<T>, said: Said<S>) => boolean,
    options?: {
      readonly spread?: Duration;
      readonly when?: When<S>;
      readonly same?: "namespace" | "name";
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
    toName: (name) => wake({ to: "name", name }),
    toEvery: (options) => wake({ to: "every", ...options }),
    toEach: (matches, options) => wake({ to: "each", matches, ...options }),
  };
};

/** Its facts changed, it appeared, or it went. */
export const changed = <S extends Kind>(kind: S): Source<S> => source("changed", kind);
/** It became ready, or stopped being ready. */
export const ready = <S extends Kind>(kind: S): Source<S> => source("ready", kind);
/** An event without an object. */
export const on = <Payload>(event: EventType<string, Payload>) => ({
  toEach: <T extends Kind>(matches: (dependant: Obj<T>, payload: Payload) => boolean): Wake<T, never> => ({
    on: "event",
    source: event.id,
    event,
    to: "each",
    matches,
  }),
});

/** A kind that a function reads or writes without waking on it, and why that is right. */
export interface Unwatched<K extends Kind = Kind> {
  readonly unwatched: string;
  readonly kind: K;
  readonly id: K["id"];
}
export const unwatched = <K extends Kind>(kind: K, why: string): Unwatched<K> => ({
  unwatched: why,
  kind,
  id: kind.id,
});
