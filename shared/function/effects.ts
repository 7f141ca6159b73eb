import type { ClusterReference } from "../kube/cluster-names.ts";
import type { AtHome } from "../kube/clusters.ts";
import type {
  AnyObject,
  AppliedBody,
  Body,
  EngineOf,
  Kind,
  Obj,
  OwnedBody,
  ReplacedBody,
  StatusOf,
} from "../kube/kind.ts";
import type { OwnerReference } from "../kube/object.ts";
import type { EventType } from "./event-type.ts";
import type { AnyPort, EffectsOf } from "./port.ts";

/** Field managers in whose name another program applied an object before, and the labels by which the object is known as its work. */
export interface FormerAppliers {
  readonly managers: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** A write as plain data. The runner alone performs it. */
export type EffectPlan =
  | {
      readonly effect: "apply";
      readonly kind: Kind;
      readonly body: WrittenBody;
      readonly owner?: AnyObject;
      /** False: the owner is one of several. */
      readonly controller?: boolean;
      readonly force?: boolean;
      readonly succeeds?: FormerAppliers;
      readonly labelled?: Readonly<Record<string, string>>;
      readonly asItIs?: boolean;
      readonly unread?: boolean;
    }
  | {
      readonly effect: "create";
      readonly kind: Kind;
      readonly body: WrittenBody;
      readonly owner?: AnyObject;
      readonly unread?: boolean;
    }
  | {
      readonly effect: "replace";
      readonly kind: Kind;
      readonly object: AnyObject;
      readonly body: WrittenBody;
    }
  | {
      readonly effect: "patch";
      readonly kind: Kind;
      readonly object: AnyObject;
      readonly change: ObjectPatch;
    }
  | {
      readonly effect: "remove";
      readonly kind: Kind;
      readonly object: AnyObject;
      readonly unchanged: boolean;
      readonly foreground: boolean;
    }
  | { readonly effect: "status"; readonly kind: Kind; readonly object: AnyObject; readonly status: unknown }
  | {
      readonly effect: "call";
      readonly port: AnyPort;
      readonly method: string;
      readonly argument: unknown;
      readonly key: string;
    }
  | { readonly effect: "emit"; readonly event: EventType; readonly id: string; readonly payload: unknown }
  | {
      readonly effect: "note";
      readonly about: Noted;
      readonly type: "Normal" | "Warning";
      readonly reason: string;
      readonly message: string;
      readonly of: string;
    };

/** The object that a Kubernetes Event is about: as much of it as the Event tells. */
export interface Noted extends Pick<AnyObject, "apiVersion" | "kind"> {
  readonly metadata: Pick<AnyObject["metadata"], "name" | "namespace" | "uid" | "cluster"> & {
    readonly resourceVersion?: string;
  };
}

/** A body as the runner sees it. */
export interface WrittenBody {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    /** The cluster of an object that does not lie at home. */
    readonly cluster?: string | undefined;
    readonly labels?: Readonly<Record<string, string>> | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
    readonly ownerReferences?: readonly OwnerReference[] | undefined;
    /** The finalizers of an object of a slot. */
    readonly finalizers?: readonly string[] | undefined;
  };
  readonly [field: string]: unknown;
}
/** A change of an object's metadata and engine-owned paths, as the runner sees it. */
export interface ObjectPatch {
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly addOwner?: OwnerReference;
  readonly engine?: Readonly<Record<string, unknown>>;
}

declare const target: unique symbol;
declare const result: unique symbol;
/**
 * One write. `Target` is the id of the kind, port or event type that the function must declare for it; `Value` is the type of its
 * result.
 */
export interface Effect<Target extends string = string, Value = unknown> {
  readonly plan: EffectPlan;
  readonly [target]?: Target;
  readonly [result]?: Value;
}

/**
 * A tree of effects. A list runs in parallel; `inOrder` runs one after the other and stops where one fails; `atMost` runs so many
 * side by side, the next when one of them has ended. They nest.
 */
export type Effects<T extends string = string> = Effect<T> | InOrder<T> | AtMost<T> | readonly Effects<T>[];
/** Effects whose steps run one after the other; it stops where one fails. */
export interface InOrder<T extends string = string> {
  readonly inOrder: readonly Effects<T>[];
}
/**
 * Runs steps one after the other; where one fails, the later ones are not run.
 *
 * @example The Service is applied once the configuration stands
 * ```ts
 * import { each, inOrder, own } from "reveille";
 * import { ConfigMap, Service } from "reveille/kinds";
 * import { Widget } from "./kinds.ts";
 *
 * export const rollOut = each(Widget).function({
 *   name: "roll-out",
 *   owns: [ConfigMap, Service],
 *   reconcile: ({ self }) => {
 *     const metadata = { name: self.metadata.name };
 *     return {
 *       effects: inOrder(
 *         own(self, ConfigMap, { metadata, data: { message: self.spec.message } }),
 *         own(self, Service, { metadata, spec: { selector: { widget: self.metadata.name } } }),
 *       ),
 *     };
 *   },
 * });
 * ```
 */
export const inOrder = <T extends string>(...steps: readonly Effects<T>[]): InOrder<T> => ({
  inOrder: steps,
});
/** Effects whose branches run side by side, a bounded number at once. */
export interface AtMost<T extends string = string> {
  readonly atMost: number;
  readonly of: readonly Effects<T>[];
}
/** Runs branches like a list, but no more than `limit` (1 or more) of them at once, begun in this order. */
export const atMost = <T extends string>(limit: number, branches: readonly Effects<T>[]): AtMost<T> => ({
  atMost: Math.max(1, Math.floor(limit)),
  of: branches,
});

/**
 * The result of an effect. `changed` is false where it was already so and nothing was sent. `ownerless`: the object has no namespace and
 * its owner has one, so it was written without an owner, and nothing removes it with that one.
 */
export type Result<V> =
  | {
      readonly state: "done";
      readonly value: V;
      readonly changed: boolean;
      readonly ownerless?: true;
    }
  | { readonly state: "failed"; readonly error: EffectError }
  | { readonly state: "not run" };

/** The error of an effect that failed. */
export interface EffectError {
  /** A stable code, for example `KUBE_INVALID` or `OWNED_BY_ANOTHER`. */
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  /** The HTTP status of the API server's answer, where it gave one. */
  readonly status?: number;
  /** The time that the server asked to wait, in milliseconds. */
  readonly retryAfterMilliseconds?: number;
  /** The object that stands in the way, where one does: its change may let the effect succeed. `waitingFor` takes it as it is. */
  readonly object?: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string | undefined;
    /** The cluster that it lies in; absent: at home. */
    readonly cluster?: ClusterReference | undefined;
  };
}

/** The results of a run's effects. Each is asked for with the effect itself: no names to invent, and the value has its type. */
export interface Results {
  <V>(effect: Effect<string, V>): Result<V>;
  readonly ok: boolean;
  readonly failed: readonly { readonly effect: Effect; readonly error: EffectError }[];
  /** The results of a part of the work, asked for with that part itself. */
  within(work: Effects): {
    readonly ok: boolean;
    readonly failed: readonly { readonly effect: Effect; readonly error: EffectError }[];
  };
}

const effect = <T extends string, V>(plan: EffectPlan): Effect<T, V> => ({ plan });

/**
 * Applies an object on the server side: exactly these fields become the function's. Of a kind that others define, a part is enough.
 * With `succeeds`, what a program before had applied becomes the function's too, and what it alone wanted goes, as long as the object
 * bears those labels. `labelled` names labels that such objects bear once they were applied: many of one kind are then looked at by one
 * list (which needs the verb `list`), in place of a read each. `unread`: the object is probably absent, so it is not read first; where it
 * is there after all the server refuses, and it is read then. With `asItIs` nothing is written: it fails with `APPLY_WOULD_CHANGE` where
 * the object is not so already.
 *
 * @example Labels the pods of a Deployment that somebody else made
 * ```ts
 * import { apply, each } from "reveille";
 * import { Deployment } from "reveille/kinds";
 *
 * export const label = each(Deployment).function({
 *   name: "label",
 *   writes: [Deployment],
 *   reconcile: ({ self }) => ({
 *     effects: apply(Deployment, {
 *       metadata: { name: self.metadata.name, namespace: self.metadata.namespace },
 *       spec: { template: { metadata: { labels: { team: self.metadata.namespace } } } },
 *     }),
 *   }),
 * });
 * ```
 */
export const apply = <K extends Kind>(
  kind: K,
  body: NoInfer<AppliedBody<K>>,
  options: {
    readonly force?: boolean;
    readonly succeeds?: FormerAppliers;
    readonly labelled?: Readonly<Record<string, string>>;
    readonly asItIs?: boolean;
    readonly unread?: boolean;
  } = {},
): Effect<K["id"], Obj<K>> =>
  effect({ effect: "apply", kind, body: body as unknown as WrittenBody, ...options });

/**
 * Applies a child, as `apply` does: with an owner reference, in the owner's namespace, and refused where another owns that name.
 * With `controller: false` the owner is one of several, and nobody is refused; only `changed(Kind).toOwner()` wakes for such a child.
 * An object without a namespace cannot belong to one that has one: of a slot's kind it is applied without an owner, and its result
 * says so (`ownerless`), since nothing removes it with its owner. `unread` as for `apply`.
 *
 * @example
 * ```ts
 * import { each, own } from "reveille";
 * import { ConfigMap } from "reveille/kinds";
 * import { Widget } from "./kinds.ts";
 *
 * export const keep = each(Widget).function({
 *   name: "keep",
 *   owns: [ConfigMap],
 *   reconcile: ({ self }) => ({
 *     effects: own(self, ConfigMap, { metadata: { name: self.metadata.name }, data: { message: self.spec.message } }),
 *   }),
 * });
 * ```
 */
export const own = <K extends Kind>(
  owner: AnyObject,
  kind: K & AtHome<K>,
  body: NoInfer<OwnedBody<K>>,
  options: { readonly force?: boolean; readonly controller?: boolean; readonly unread?: boolean } = {},
): Effect<K["id"], Obj<K>> =>
  effect({ effect: "apply", kind, body: body as unknown as WrittenBody, owner, ...options });

/**
 * Creates an object if it is absent, and never touches it again. With `owner` it is made as a child. `unread`: it is probably
 * absent, so it is not read first; the result is unchanged where it was there after all.
 */
export const create = <K extends Kind>(
  kind: K,
  body: NoInfer<Body<K>>,
  options: { readonly owner?: AnyObject; readonly unread?: boolean } = {},
): Effect<K["id"], Obj<K>> =>
  effect({ effect: "create", kind, body: body as unknown as WrittenBody, ...options });

/**
 * Replaces the whole object that was read: its uid and resourceVersion are the guard, so an object that changed meanwhile is read
 * and decided anew. Finalizers stay as they are, and so do labels, annotations, owners and the status where `body` says nothing
 * of them. It does what server-side apply cannot: take fields away that others own. It needs the verb `update`, which is
 * declared: `verbs: { ConfigMap: ["get", "update"] }`.
 */
export const replace = <K extends Kind>(
  kind: K,
  object: NoInfer<Obj<K>>,
  body: NoInfer<ReplacedBody<K>>,
): Effect<K["id"], Obj<K>> =>
  effect({ effect: "replace", kind, object, body: body as unknown as WrittenBody });

/** Patches metadata that others also own, and engine-owned paths. The object's uid and resourceVersion guard it. */
export const patch = <K extends Kind>(
  kind: K,
  object: NoInfer<Obj<K>>,
  change: NoInfer<Patch<K>>,
): Effect<K["id"], Obj<K>> => effect({ effect: "patch", kind, object, change: change as ObjectPatch });
/** A change of an object's labels, annotations, owners and engine-owned paths. */
export interface Patch<K extends Kind> {
  /** Labels to set; `null` takes one away. */
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly addOwner?: OwnerReference;
  readonly engine?: { readonly [N in keyof EngineOf<K>]?: EngineOf<K>[N] | null };
}

/**
 * Deletes an object that was read: its uid is the guard, so a re-creation survives. `unchanged` also pins its version.
 *
 * @example Deletes the Jobs that are complete
 * ```ts
 * import { allInNamespace, remove } from "reveille";
 * import { Job } from "reveille/kinds";
 *
 * export const tidy = allInNamespace(Job).function({
 *   name: "tidy",
 *   writes: [Job],
 *   reconcile: ({ members }) => ({
 *     effects: members.filter((job) => job.status?.completionTime !== undefined).map((job) => remove(Job, job)),
 *   }),
 * });
 * ```
 */
export const remove = <K extends Kind>(
  kind: K,
  object: NoInfer<Obj<K>>,
  options: { readonly unchanged?: boolean; readonly foreground?: boolean } = {},
): Effect<K["id"], undefined> =>
  effect({
    effect: "remove",
    kind,
    object,
    unchanged: options.unchanged ?? false,
    foreground: options.foreground ?? false,
  });

/** Applies the status of an object that is not the key's. */
export const setStatus = <K extends Kind>(
  kind: K,
  object: NoInfer<Obj<K>>,
  status: NoInfer<StatusOf<K>>,
): Effect<K["id"], Obj<K>> => effect({ effect: "status", kind, object, status });

/**
 * Asks a port for something beyond the API server. The key names the one effect that is meant, so that a second call finds the first:
 * take it from stored state. A call does not count as a change for `again`; the status that tells of it does.
 *
 * @example
 * ```ts
 * import { call, definePort, each } from "reveille";
 * import { Widget } from "./kinds.ts";
 *
 * const bell = definePort("bell").of<object, { readonly ring: (times: number) => Promise<void> }>();
 *
 * export const chime = each(Widget).function({
 *   name: "chime",
 *   uses: [bell],
 *   reconcile: ({ self }) => ({
 *     effects: call(bell, "ring", self.spec.value, { key: `${self.metadata.uid} ${self.metadata.generation}` }),
 *   }),
 * });
 * ```
 */
export const call = <P extends AnyPort, M extends keyof EffectsOf<P> & string>(
  port: P,
  method: M,
  argument: NoInfer<ArgumentOf<EffectsOf<P>[M]>>,
  options: { readonly key: string },
): Effect<P["id"], AnswerOf<EffectsOf<P>[M]>> =>
  effect({ effect: "call", port, method, argument, key: options.key });
type ArgumentOf<F> = F extends (argument: infer A, ...rest: never[]) => Promise<unknown> ? A : never;
type AnswerOf<F> = F extends (...all: never[]) => Promise<infer A> ? A : never;

/** Emits an event that has no home in an object. Its id follows from its payload, so emitting it twice is emitting it once. */
export const emit = <N extends string, D>(
  event: EventType<N, D>,
  payload: NoInfer<D>,
): Effect<N, undefined> => effect({ effect: "emit", event, id: event.idOf(payload as never), payload });

/** Writes a Kubernetes Event for people, named by object, reason, message and `of`: the same one twice is one. */
export const note = (
  about: Noted,
  type: "Normal" | "Warning",
  reason: string,
  message: string,
  of = "",
): Effect<never, undefined> => effect({ effect: "note", about, type, reason, message, of });
