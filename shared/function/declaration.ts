import type * as z from "zod";
import type { Duration, Time } from "../clock/time.ts";
import type { AtHome } from "../kube/clusters.ts";
import type { Kind, Obj, Slot, StatusOf } from "../kube/kind.ts";
import type { EffectError, Effects, Results } from "./effects.ts";
import type { EventType } from "./event-type.ts";
import type { AnyPort, ReadsOf } from "./port.ts";
import type { Reader } from "./reader.ts";
import type { Wait } from "./wait.ts";
import type { Unwatched, Wake } from "./wakes.ts";

// ---- what it is given --------------------------------------------------------------------------------------------

/** The second argument of `reconcile`: time, configuration and ids, so that it needs no clock and no random source. */
export interface Context<C> {
  /** The time of this pass; never before the due time that woke it. */
  readonly now: Time;
  readonly config: C;
  /** An id for that purpose: a repeated pass over the same state gets the same one. */
  uid(purpose: string): string;
  /**
   * The time at which this function last changed the status of its object, in whole seconds, as the server remembers it;
   * undefined where it has not, and for groups. Costs no read. Use it for a status that must not be written too often.
   */
  readonly lastStatusAt?: Time | undefined;
}

// ---- what it says ------------------------------------------------------------------------------------------------

/**
 * The end of a run, as `reconcile` (or `conclude`) returns it: a status, waits and deadlines. Every part may be left out.
 *
 * @example A Widget waits for its Factor, and says so again after ten minutes
 * ```ts
 * import { changed, each, later } from "reveille";
 * import { Factor, Widget } from "./kinds.ts";
 *
 * export const patient = each(Widget).function({
 *   name: "patient",
 *   wakes: [changed(Factor).toEach((widget, factor) => widget.spec.factor === factor.name, { same: "namespace" })],
 *   observe: async ({ self, read }) => ({
 *     factor: await read.get(Factor, { name: self.spec.factor, namespace: self.metadata.namespace }),
 *   }),
 *   reconcile: ({ self, factor }, { now }) =>
 *     factor === undefined
 *       ? { waitingFor: [{ for: `Factor ${self.spec.factor}` }], wakeAt: { reminder: later(now, "10m") } }
 *       : {},
 * });
 * ```
 */
export interface Ending {
  readonly status?: unknown;
  readonly waitingFor?: readonly Wait[];
  /** The deadlines by name. This is the whole set: a name that is left out is cleared. */
  readonly wakeAt?: Readonly<Record<string, Time>>;
  /** True: observe and reconcile again at once, if this pass changed anything. */
  readonly again?: boolean;
  /**
   * True, with `conclude`, where an effect failed that may succeed later: the status is written, then the run is tried again
   * after a back-off.
   */
  readonly retry?: boolean;
}
/** The end of a run about one object. `status` is the whole (declared part of the) status; absent, it stays as it is. */
export interface OneEnding<K extends Kind, Part extends string = "*"> extends Ending {
  readonly status?: PartOf<StatusOf<K>, Part>;
}
/** The end of a run about a group. Statuses are written in this order: a loser before the winner. */
export interface GroupEnding<K extends Kind, Part extends string = "*"> extends Ending {
  readonly status?: readonly { readonly of: Obj<K>; readonly status: PartOf<StatusOf<K>, Part> }[];
}

/** The fields, and the condition types (`conditions.Ready`), of a status. */
export type PartName<St> =
  | (keyof NonNullable<St> & string)
  | (NonNullable<St> extends { conditions?: readonly { type: infer T extends string }[] | undefined }
      ? `conditions.${T}`
      : never);
/** The named parts of a status; `*` is all of it. */
export type PartOf<St, P extends string> = "*" extends P
  ? St
  : Flat<
      { [F in keyof St as F extends P ? F : never]: St[F] } & ([Extract<P, `conditions.${string}`>] extends [
        never,
      ]
        ? unknown
        : St extends { conditions?: readonly (infer C)[] | undefined }
          ? {
              conditions: readonly (Omit<C, "type"> & {
                type: P extends `conditions.${infer T}` ? T : never;
              })[];
            }
          : unknown)
    >;
type Flat<T> = { [F in keyof T]: T[F] } & {};

/**
 * The result of `reconcile`: effects, then the ending. The ending may depend on the effects' results: `conclude`. Without it, a
 * failed effect fails the run and no status is written.
 *
 * @example A status is written also where the effect failed
 * ```ts
 * import { each, own } from "reveille";
 * import { ConfigMap } from "reveille/kinds";
 * import { Widget } from "./kinds.ts";
 *
 * export const keep = each(Widget).function({
 *   name: "keep",
 *   owns: [ConfigMap],
 *   reconcile: ({ self }) => {
 *     const { name, generation } = self.metadata;
 *     const message = own(self, ConfigMap, { metadata: { name }, data: { message: self.spec.message } });
 *     return {
 *       effects: message,
 *       conclude: (results) => {
 *         const kept = results(message).state === "done";
 *         const ready = { type: "Ready", status: kept ? "True" : "False", reason: kept ? "Kept" : "Refused" } as const;
 *         return { status: { observedGeneration: generation, conditions: [ready] }, retry: !kept };
 *       },
 *     };
 *   },
 * });
 * ```
 */
export type Outcome<End extends Ending, T extends string> =
  | (End & { readonly effects?: Effects<T>; readonly conclude?: never })
  | ({ readonly [P in keyof End]?: never } & {
      readonly effects: Effects<T>;
      /** Returns the ending once all effects have ended, well or not. */
      readonly conclude: (results: Results) => End & {
        /**
         * Effects that keep for the next pass what the status has no place for: performed after the others and before the status.
         * A host that dies in between loses them, so they may only save work. A failure fails the run.
         */
        readonly record?: Effects<T>;
      };
    });
/** The result of `finalize`. `finalized`: everything is gone, the finalizer may go. */
export type LastOutcome<End extends Ending, T extends string> = Outcome<
  End & { readonly finalized?: boolean },
  T
>;

// ---- the declaration ---------------------------------------------------------------------------------------------

/** A verb of RBAC: an operation of a function on a kind. */
export type Verb = "get" | "list" | "create" | "patch" | "update" | "delete";
/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** The names of the objects that it is about; absent: all. */
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}
/** A kind, or one that is read without waking. */
export type Readable = Kind | Unwatched;
type MustWake<R extends Readable, S extends string> = [Exclude<Extract<R, Kind>["id"], S>] extends [never]
  ? unknown
  : [Exclude<Extract<R, Kind>["id"], S>] extends [`${string}/${string}`]
    ? {
        readonly "objects of other clusters wake only while they are waited for: declare awaited(Kind, why), or unwatched(Kind, why)": Exclude<
          Extract<R, Kind>["id"],
          S
        >;
      }
    : {
        readonly "a change of this kind would not wake the function: add changed(Kind) to wakes, or declare unwatched(Kind, why)": Exclude<
          Extract<R, Kind>["id"],
          S
        >;
      };

/** The argument of `observe`: reads, ports and configuration, beside the object or group itself. */
export interface Scope<Names extends string, C, P extends AnyPort = never> {
  readonly read: Reader<Names>;
  /** The reads of a port that the function `uses`. */
  use<One extends AnyPort>(port: UsedPort<One, P>): ReadsOf<One>;
  readonly config: C;
  /**
   * Names what outside the cluster led here: events that it wakes on without an object (`on`), and commands; undefined where nothing
   * did. What a port remembers from before may be outdated. A hint: a lost one costs time, so nothing may rest on it.
   */
  readonly news?: string | undefined;
}
type UsedPort<One extends AnyPort, P extends AnyPort> = One &
  (One["id"] extends P["id"] ? unknown : { readonly "this port is not declared: add it to uses": One["id"] });

/** The declaration of a function, as `each(Kind).function({ … })` takes it. */
export interface Declaration<
  K extends Kind,
  Subject,
  End extends Ending,
  S extends string,
  R extends Readable,
  O extends Kind,
  W extends Readable,
  U extends EventType,
  C extends z.ZodType,
  World,
  P extends AnyPort = never,
> {
  /** The name, in lower case with dashes; it is also the field manager's name, so it never changes. */
  readonly name: string;
  /** The changes that wake the function, beside those of its own key and of its children (`owns`), which always do. */
  readonly wakes?: readonly Wake<K, S>[];
  /** The kinds that it reads; those that it wakes on or owns need not be named. */
  readonly reads?: readonly R[] & MustWake<R, S | K["id"] | O["id"]>;
  /** The kinds of its children: it writes and reads them, and their changes wake their owner. */
  readonly owns?: readonly O[] & AtHome<O>;
  /** The other kinds that it writes. */
  readonly writes?: readonly W[] & MustWake<W, S | K["id"] | O["id"]>;
  /**
   * The verbs that it uses on a kind, where they are fewer than its declaration would allow: `{ Deployment: ["get", "create",
   * "patch"] }`. Its role gets no more, and the runner refuses the rest. An apply creates and patches; a replace updates, which
   * only this field allows.
   */
  readonly verbs?: {
    readonly [Name in NoInfer<K["id"] | S | R["id"] | O["id"] | W["id"]>]?: readonly Verb[];
  };
  /**
   * The reason why it runs commands in containers (`read.exec`). Absent: it may not. Its role gets `pods/exec`; where it runs them in Pods
   * that a slot brings (`podsOf`) only if the configuration admits these.
   */
  readonly executes?: string | { readonly why: string; readonly podsOf: Slot };
  /** The event types that it emits. */
  readonly emits?: readonly U[];
  /** The ports that it asks beyond the Kubernetes API. Engines and hosts refuse to start where one is not bound. */
  readonly uses?: readonly P[];
  readonly config?: C;
  /** The period of its resync, which only repairs lost wakes; every scenario must pass without it. */
  readonly net?: Duration;
  /** The number of its keys that run at once on AWS, 2 or more; elsewhere a host's `worker.parallel` counts. Default: no limit. */
  readonly parallel?: number;
  /** The field managers of an operator that it succeeds: their fields on what it writes are taken over. */
  readonly succeeds?: readonly string[];
  /**
   * The rule by which it takes over existing objects of a kind that no function of Reveille made: `{ Deployment: "what a release
   * names is its own" }`. Without one, such an object is refused unless a person gives it away with `reveille.dev/adopt`.
   */
  readonly adopts?: { readonly [Name in NoInfer<O["id"] | W["id"]>]?: string };
  /**
   * True for an object that is paused by an annotation of the system's own, and left alone. `reveille.dev/paused` always counts.
   */
  readonly paused?: (subject: Subject) => boolean;
  /** Reads all that `reconcile` decides on, besides the object or group itself. */
  readonly observe?: (
    scope: Subject & Scope<K["id"] | S | R["id"] | O["id"] | W["id"], z.output<C>, P>,
  ) => Promise<World>;
  /** Decides: returns effects, a status, waits and deadlines. Pure: no clock, no random source, no I/O. */
  readonly reconcile: (
    world: Subject & NoInfer<World>,
    context: Context<z.output<C>>,
  ) => Outcome<End, O["id"] | W["id"] | U["id"] | P["id"]>;
  /** The finalizer. Set: objects that are being deleted come here, and nowhere else. Unset: they are left alone. */
  readonly finalizer?: Subject extends { readonly self: unknown }
    ? Finalizer<Subject, End, O["id"] | W["id"] | U["id"] | P["id"], NoInfer<World>, z.output<C>>
    : never;
  /** Returns a status that shows an error which nobody caught. */
  readonly failed?: (subject: Subject, error: EffectError, context: Context<z.output<C>>) => End["status"];
}

/** A finalizer: it is added before the first effect, and removed once `finalize` says `finalized`. */
export interface Finalizer<Subject, End extends Ending, T extends string, World, C> {
  /** The finalizer's name, domain-qualified, for example `reveille.dev/widget`. */
  readonly name: string;
  /**
   * Finalizers of an operator that the function succeeds, for the same work: an object that bears one of them is finalized as well, and
   * they go together with the function's own. They are never put on.
   */
  readonly succeeds?: readonly string[];
  /** True for an object that needs the finalizer. Default: each object does. */
  readonly when?: (world: Subject & World) => boolean;
  /**
   * True while an object that bears the finalizer still owes what `finalize` does, or while nobody can tell. Where `when` and `owes` are
   * both false the finalizer is taken off. Default: it stays until the object is deleted.
   */
  readonly owes?: (world: Subject & World) => boolean;
  /** Takes away what the function made elsewhere; the finalizer goes with `finalized: true`. */
  readonly finalize: (world: Subject & World, context: Context<C>) => LastOutcome<End, T>;
}

/** A declaration bound to its key: what systems list and the runner runs. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly key: KeyShape;
  readonly wakes: readonly Wake<never>[];
  readonly reads: readonly Readable[];
  readonly owns: readonly Kind[];
  readonly writes: readonly Readable[];
  readonly verbs: Readonly<Record<string, readonly Verb[] | undefined>>;
  readonly executes: string | undefined;
  /** The slot that brings the Pods in which it does; undefined: any Pods. */
  readonly executesIn: string | undefined;
  readonly emits: readonly EventType[];
  readonly uses: readonly AnyPort[];
  readonly config: z.ZodType | undefined;
  readonly net: Duration | undefined;
  readonly parallel: number | undefined;
  readonly succeeds: readonly string[];
  readonly adopts: Readonly<Record<string, string | undefined>>;
  /** True for an object that the system's own annotation pauses. */
  readonly paused: ((subject: never) => boolean) | undefined;
  /** Reads what `reconcile` decides on. */
  readonly observe: ((scope: never) => Promise<unknown>) | undefined;
  /** Decides, without I/O. */
  readonly reconcile: (world: never, context: never) => AnyOutcome;
  readonly finalizer:
    | {
        readonly name: string;
        /** Finalizers of an operator before, which go together with it. */
        readonly succeeds?: readonly string[];
        /** True for an object that needs the finalizer. */
        readonly when?: (world: never) => boolean;
        /** True while an object that bears it still owes what `finalize` does. */
        readonly owes?: (world: never) => boolean;
        /** Takes away what the function made elsewhere. */
        readonly finalize: (world: never, context: never) => AnyOutcome;
      }
    | undefined;
  /** Returns a status that shows an error which nobody caught. */
  readonly failed: ((subject: never, error: EffectError, context: never) => unknown) | undefined;
}
/** The result of any `reconcile`, before the runner has checked it. */
export interface AnyOutcome extends Ending {
  readonly effects?: Effects;
  readonly conclude?: (results: Results) => Concluded;
  readonly finalized?: boolean;
}

/** The result of `conclude`. */
export type Concluded = Ending & { readonly finalized?: boolean; readonly record?: Effects };

/** The subject of a piece of work: one object or a group. */
export interface KeyShape {
  readonly by: "object" | "all" | "namespace" | "fact";
  readonly kind: Kind;
  /** The name of the fact that the members share, for `fact`. */
  readonly fact: string | undefined;
  /** The part of the status that is its own; undefined: all of it. */
  readonly part: readonly string[] | undefined;
  /** The facts of its own object that wake it, with `object` and `status`; undefined: every change does that may concern it. */
  readonly heeds: readonly string[] | undefined;
}
