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

/** What one write is, as plain data. The runner alone performs it. */
export type EffectPlan =
  | {
      readonly effect: "apply";
      readonly kind: Kind;
      readonly body: WrittenBody;
      readonly owner?: AnyObject;
      readonly force?: boolean;
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
      readonly about: AnyObject;
      readonly type: "Normal" | "Warning";
      readonly reason: string;
      readonly message: string;
      readonly of: string;
    };

/** A body as the runner sees it. */
export interface WrittenBody {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly labels?: Readonly<Record<string, string>> | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
    readonly ownerReferences?: readonly OwnerReference[] | undefined;
    /** Of what a slot stands for. */
    readonly finalizers?: readonly string[] | undefined;
  };
  readonly [field: string]: unknown;
}
export interface ObjectPatch {
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly addOwner?: OwnerReference;
  readonly engine?: Readonly<Record<string, unknown>>;
}

declare const target: unique symbol;
declare const result: unique symbol;
/** One write. `Target` is the id of what the function must have declared for it; `Value` is what it answers. */
export interface Effect<Target extends string = string, Value = unknown> {
  readonly plan: EffectPlan;
  readonly [target]?: Target;
  readonly [result]?: Value;
}

/**
 * A list runs in parallel; `inOrder` runs one after the other and stops where one fails; `atMost` runs so many side by side, the next
 * when one of them has ended. They nest.
 */
export type Work<T extends string = string> = Effect<T> | InOrder<T> | AtMost<T> | readonly Work<T>[];
export interface InOrder<T extends string = string> {
  readonly inOrder: readonly Work<T>[];
}
export const inOrder = <T extends string>(...steps: readonly Work<T>[]): InOrder<T> => ({ inOrder: steps });
export interface AtMost<T extends string = string> {
  readonly atMost: number;
  readonly of: readonly Work<T>[];
}
/** As a list, but no more than `limit` (1 or more) of its branches at once, begun in this order. */
export const atMost = <T extends string>(limit: number, branches: readonly Work<T>[]): AtMost<T> => ({
  atMost: Math.max(1, Math.floor(limit)),
  of: branches,
});

/** What came of an effect. `changed` is false where it was already so and nothing was sent. */
export type Result<V> =
  | { readonly state: "done"; readonly value: V; readonly changed: boolean }
  | { readonly state: "failed"; readonly error: EffectError }
  | { readonly state: "not run" };

export interface EffectError {
  /** A stable code, for example `KUBE_INVALID` or `OWNED_BY_ANOTHER`. */
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  /** The HTTP status of the API server's answer, where it gave one. */
  readonly status?: number;
  /** How long the server asked to wait. */
  readonly retryAfterMilliseconds?: number;
  /** The object that stands in the way, where one does: its change may let the effect succeed. As a `waitingFor` takes it. */
  readonly object?: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string | undefined;
  };
}

/** Asked with the effect itself: no names to invent, and the value has its type. */
export interface Results {
  <V>(effect: Effect<string, V>): Result<V>;
  readonly ok: boolean;
  readonly failed: readonly { readonly effect: Effect; readonly error: EffectError }[];
  /** The part of the work that you name, asked with the work itself. */
  within(work: Work): {
    readonly ok: boolean;
    readonly failed: readonly { readonly effect: Effect; readonly error: EffectError }[];
  };
}

const effect = <T extends string, V>(plan: EffectPlan): Effect<T, V> => ({ plan });

/** Server-side apply: exactly these fields are ours. Of a kind that others define a part is enough. */
export const apply = <K extends Kind>(
  kind: K,
  body: NoInfer<AppliedBody<K>>,
  options: { readonly force?: boolean } = {},
): Effect<K["id"], Obj<K>> =>
  effect({ effect: "apply", kind, body: body as unknown as WrittenBody, ...options });

/** As `apply`, as a child: owner reference, the owner's namespace, and refused where another owns that name. */
export const own = <K extends Kind>(
  owner: AnyObject,
  kind: K,
  body: NoInfer<OwnedBody<K>>,
  options: { readonly force?: boolean } = {},
): Effect<K["id"], Obj<K>> =>
  effect({ effect: "apply", kind, body: body as unknown as WrittenBody, owner, ...options });

/**
 * Made if absent, never touched again. With `owner` it is made as a child. `unread`: it is probably absent, so nobody looks first; the
 * result is unchanged where it was there after all.
 */
export const create = <K extends Kind>(
  kind: K,
  body: NoInfer<Body<K>>,
  options: { readonly owner?: AnyObject; readonly unread?: boolean } = {},
): Effect<K["id"], Obj<K>> =>
  effect({ effect: "create", kind, body: body as unknown as WrittenBody, ...options });

/**
 * The whole object as it shall be, over what was read: its uid and resourceVersion are the guard, so what changed meanwhile is read
 * and decided anew. Finalizers stay as they are, and so do labels, annotations, owners and the status where `body` says nothing of
 * them. For what server-side apply cannot say: taking fields away that others own. Needs the verb `update`, which is declared:
 * `verbs: { ConfigMap: ["get", "update"] }`.
 */
export const replace = <K extends Kind>(
  kind: K,
  object: NoInfer<Obj<K>>,
  body: NoInfer<ReplacedBody<K>>,
): Effect<K["id"], Obj<K>> =>
  effect({ effect: "replace", kind, object, body: body as unknown as WrittenBody });

/** Metadata that others also own, and engine-owned paths. Guarded by the object's uid and resourceVersion. */
export const patch = <K extends Kind>(
  kind: K,
  object: NoInfer<Obj<K>>,
  change: NoInfer<Patch<K>>,
): Effect<K["id"], Obj<K>> => effect({ effect: "patch", kind, object, change: change as ObjectPatch });
export interface Patch<K extends Kind> {
  /** `null` takes a label away. */
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly addOwner?: OwnerReference;
  readonly engine?: { readonly [N in keyof EngineOf<K>]?: EngineOf<K>[N] | null };
}

/** Takes an object that was read: its uid is the guard, so a re-creation survives. `unchanged` also pins its version. */
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

/** The status of an object that is not the key's. */
export const setStatus = <K extends Kind>(
  kind: K,
  object: NoInfer<Obj<K>>,
  status: NoInfer<StatusOf<K>>,
): Effect<K["id"], Obj<K>> => effect({ effect: "status", kind, object, status });

/**
 * Asks for something beyond the API server. The key names the one effect that is meant, so that a second call finds the first: take
 * it from what was stored before. A call does not count as a change for `again`; the status that tells of it does.
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

/** An event with no home in an object. Its id follows from its payload, so twice is once. */
export const emit = <N extends string, D>(
  event: EventType<N, D>,
  payload: NoInfer<D>,
): Effect<N, undefined> => effect({ effect: "emit", event, id: event.idOf(payload as never), payload });

/** A Kubernetes Event for people, named by object, reason, message and `of`: twice is once. */
export const note = (
  about: AnyObject,
  type: "Normal" | "Warning",
  reason: string,
  message: string,
  of = "",
): Effect<never, undefined> => effect({ effect: "note", about, type, reason, message, of });
