import type * as z from "zod";
import type { Duration, Time } from "../clock/time.ts";
import type { AnyObject, At, Kind, Obj, Slot, SlotPlace, StatusOf } from "../kube/kind.ts";
import type { EffectError, Results, Work } from "./effects.ts";
import type { EventType } from "./event-type.ts";
import type { AnyPort, ReadsOf } from "./port.ts";
import type { Unwatched, Wake } from "./wakes.ts";

// ---- what it is given --------------------------------------------------------------------------------------------

export interface NotDeclared<Name extends string> {
  readonly "this kind is not declared: wake on it, own it, or add unwatched(Kind, why) to reads": Name;
}
type Declared<K extends Kind, Names extends string> = K &
  (K["id"] extends Names ? unknown : NotDeclared<K["id"]>);
/** A slot's objects say themselves what they are. */
type DeclaredKind<K extends Kind, Names extends string> = Declared<K, Names> &
  (K extends Slot
    ? { readonly "this is a slot for kinds that only data names: use read.object or read.objects": K["id"] }
    : unknown);

/** Reads of declared kinds, fresh from the API server. */
export interface Reader<Names extends string> {
  get<K extends Kind>(kind: DeclaredKind<K, Names>, at: At<NoInfer<K>>): Promise<Obj<K> | undefined>;
  list<K extends Kind>(
    kind: DeclaredKind<K, Names>,
    where?: {
      readonly namespace?: string;
      /** Those of this name, in all namespaces unless one is given. */
      readonly name?: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly ownedBy?: AnyObject;
    },
  ): Promise<readonly Obj<K>[]>;
  /**
   * An object of a kind that only data names. Throws a `KubeError` with the kind `kindMissing` where the server does not know its
   * kind (ask `knows`), and a `TerminalError` where the configuration does not admit it (`KIND_NOT_ADMITTED`).
   */
  object<K extends Slot>(slot: DeclaredSlot<K, Names>, at: SlotPlace): Promise<Obj<K> | undefined>;
  /** As `object`, all of one kind. */
  objects<K extends Slot>(
    slot: DeclaredSlot<K, Names>,
    where: {
      readonly apiVersion: string;
      readonly kind: string;
      readonly namespace?: string;
      readonly name?: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly ownedBy?: AnyObject;
    },
  ): Promise<readonly Obj<K>[]>;
  /** Whether the server knows the kind now: a CRD that is yet to come brings it. Undeclared and not admitted are errors, as above. */
  knows<K extends Slot>(
    slot: DeclaredSlot<K, Names>,
    what: { readonly apiVersion: string; readonly kind: string },
  ): Promise<boolean>;
}
/** Of another kind than a slot there is `get` and `list`. */
type DeclaredSlot<K extends Slot, Names extends string> = Declared<K, Names>;

export interface Context<C> {
  /** The time of this pass; never before the due time that woke it. */
  readonly now: Time;
  readonly config: C;
  /** The same for the same pass over the same world: a repeated pass makes the same one. */
  uid(purpose: string): string;
  /**
   * When this function last changed the status of its object, in whole seconds, as the server remembers it; undefined where it has
   * not, and for groups. Costs no read. For what must not be written too often.
   */
  readonly lastStatusAt?: Time | undefined;
}

// ---- what it says ------------------------------------------------------------------------------------------------

/** What is missing, in words. With `object` it also wakes: that object's change runs the key again. */
export interface Wait {
  readonly for: string;
  readonly object?: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string | undefined;
  };
}

export interface Ending {
  readonly status?: unknown;
  readonly waitingFor?: readonly Wait[];
  /** Deadlines by name. This is the whole set: a name left out is cleared. */
  readonly wakeAt?: Readonly<Record<string, Time>>;
  /** Observe and reconcile anew at once, if this pass changed anything. */
  readonly again?: boolean;
  /** With `conclude`, where an effect failed that may succeed later: the status is written, then the run is tried again after a back-off. */
  readonly retry?: boolean;
}
/** The whole status (of the declared part). Absent: leave it. */
export interface OneEnding<K extends Kind, Part extends string = "*"> extends Ending {
  readonly status?: PartOf<StatusOf<K>, Part>;
}
/** In this order: a loser before the winner. */
export interface GroupEnding<K extends Kind, Part extends string = "*"> extends Ending {
  readonly status?: readonly { readonly of: Obj<K>; readonly status: PartOf<StatusOf<K>, Part> }[];
}

/** The fields, and the condition types (`conditions.Ready`), of a status. */
export type PartName<St> =
  | (keyof NonNullable<St> & string)
  | (NonNullable<St> extends { conditions?: readonly { type: infer T extends string }[] | undefined }
      ? `conditions.${T}`
      : never);
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

/** Effects, then the ending. The ending may depend on the effects' results: `conclude`. Without it, a failed effect fails the run and no status is written. */
export type Outcome<End extends Ending, T extends string> =
  | (End & { readonly effects?: Work<T>; readonly conclude?: never })
  | ({ readonly [P in keyof End]?: never } & {
      readonly effects: Work<T>;
      readonly conclude: (results: Results) => End & {
        /**
         * What has to be kept of how the effects went where the status has no place for it: written after them and before the status.
         * A host that dies in between loses it, so it may only save work. A failure fails the run.
         */
        readonly record?: Work<T>;
      };
    });
/** `finalized`: everything is gone, the finalizer may go. */
export type LastOutcome<End extends Ending, T extends string> = Outcome<
  End & { readonly finalized?: boolean },
  T
>;

// ---- the declaration ---------------------------------------------------------------------------------------------

/** What a function may do to a kind, in RBAC's words. */
export type Verb = "get" | "list" | "create" | "patch" | "update" | "delete";
/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}
/** A kind, or one that is read without waking. */
export type Readable = Kind | Unwatched;
type MustWake<R extends Readable, S extends string> = [Exclude<Extract<R, Kind>["id"], S>] extends [never]
  ? unknown
  : {
      readonly "a change of this kind would not wake the function: add changed(Kind) to wakes, or declare unwatched(Kind, why)": Exclude<
        Extract<R, Kind>["id"],
        S
      >;
    };

export interface Scope<Names extends string, C, P extends AnyPort = never> {
  readonly read: Reader<Names>;
  /** What stands behind a port that the function `uses`: its reads. */
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
  /** Lower case with dashes; also the field manager's name, so it never changes. */
  readonly name: string;
  /** Its own key always wakes it, and so does what it `owns`. */
  readonly wakes?: readonly Wake<K, S>[];
  /** Kinds that it reads; those that it wakes on or owns need not be named. */
  readonly reads?: readonly R[] & MustWake<R, S | K["id"] | O["id"]>;
  /** Children: written, read, and waking their owner. */
  readonly owns?: readonly O[];
  /** Other kinds that it writes. */
  readonly writes?: readonly W[] & MustWake<W, S | K["id"] | O["id"]>;
  /**
   * What it does to a kind, where that is less than its declaration would allow: `{ Deployment: ["get", "create", "patch"] }`. Its
   * role gets no more, and the runner refuses the rest. An apply creates and patches; a replace updates, which only they allow.
   */
  readonly verbs?: {
    readonly [Name in NoInfer<K["id"] | S | R["id"] | O["id"] | W["id"]>]?: readonly Verb[];
  };
  /** Event types that it emits. */
  readonly emits?: readonly U[];
  /** Ports: what it asks beyond the Kubernetes API. Engines and hosts refuse to start where nothing stands behind one. */
  readonly uses?: readonly P[];
  readonly config?: C;
  /** Only repairs lost wakes; every scenario must pass without it. */
  readonly net?: Duration;
  /** How many of its keys run at once on AWS, 2 or more; elsewhere a host's `worker.parallel` counts. Default: no limit of its own. */
  readonly parallel?: number;
  /** Field managers of an operator that it succeeds: their fields on what it writes are taken over. */
  readonly succeeds?: readonly string[];
  /**
   * By which rule it takes over objects of a kind that are there and that none of our functions made: `{ Deployment: "what a release
   * names is its own" }`. Without one, such an object is refused unless a person gives it away with `reveille.dev/adopt`.
   */
  readonly adopts?: { readonly [Name in NoInfer<O["id"] | W["id"]>]?: string };
  /** Whether it may see an object's annotations, and leave it alone: paused. `reveille.dev/paused` always counts. */
  readonly paused?: (subject: Subject) => boolean;
  readonly observe?: (
    scope: Subject & Scope<K["id"] | S | R["id"] | O["id"] | W["id"], z.output<C>, P>,
  ) => Promise<World>;
  /** Pure: no clock, no random source, no I/O. */
  readonly reconcile: (
    world: Subject & NoInfer<World>,
    context: Context<z.output<C>>,
  ) => Outcome<End, O["id"] | W["id"] | U["id"] | P["id"]>;
  /** Set: objects being deleted come here, and nowhere else. Unset: they are left alone. */
  readonly finalizer?: Subject extends { readonly self: unknown }
    ? Finalizer<Subject, End, O["id"] | W["id"] | U["id"] | P["id"], NoInfer<World>, z.output<C>>
    : never;
  /** How the status shows an error that nobody caught. */
  readonly failed?: (subject: Subject, error: EffectError, context: Context<z.output<C>>) => End["status"];
}

export interface Finalizer<Subject, End extends Ending, T extends string, World, C> {
  /** Domain-qualified, for example `reveille.dev/widget`. */
  readonly name: string;
  readonly when?: (world: Subject & World) => boolean;
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
  readonly emits: readonly EventType[];
  readonly uses: readonly AnyPort[];
  readonly config: z.ZodType | undefined;
  readonly net: Duration | undefined;
  readonly parallel: number | undefined;
  readonly succeeds: readonly string[];
  readonly adopts: Readonly<Record<string, string | undefined>>;
  readonly paused: ((subject: never) => boolean) | undefined;
  readonly observe: ((scope: never) => Promise<unknown>) | undefined;
  readonly reconcile: (world: never, context: never) => AnyOutcome;
  readonly finalizer:
    | {
        readonly name: string;
        readonly when?: (world: never) => boolean;
        readonly finalize: (world: never, context: never) => AnyOutcome;
      }
    | undefined;
  readonly failed: ((subject: never, error: EffectError, context: never) => unknown) | undefined;
}
/** What any reconcile returns, before the runner has looked at it. */
export interface AnyOutcome extends Ending {
  readonly effects?: Work;
  readonly conclude?: (results: Results) => Concluded;
  readonly finalized?: boolean;
}

/** What `conclude` returns. */
export type Concluded = Ending & { readonly finalized?: boolean; readonly record?: Work };

/** What one piece of work is about. */
export interface KeyShape {
  readonly by: "object" | "all" | "namespace" | "fact";
  readonly kind: Kind;
  /** For `fact`: which one the members share. */
  readonly fact: string | undefined;
  /** Which part of the status is its own; undefined: all of it. */
  readonly part: readonly string[] | undefined;
}
