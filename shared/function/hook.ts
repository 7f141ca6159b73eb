import type * as z from "zod";
import type { Kind } from "../kube/kind.ts";
import type { Verb } from "./declaration.ts";
import type { EffectError, Effects } from "./effects.ts";
import { type HookDeclaration, hookPath, type RequestHook } from "./hook-declaration.ts";
import { hookFault } from "./hook-fault.ts";
import type { Reader } from "./reader.ts";
import { DeclarationError } from "./system.ts";

/** The name and schemas of a hook, as `hook({ … })` takes them. */
export interface HookOptions<Q extends z.ZodType, A extends z.ZodType> {
  /** The name, in lower case with dashes; it is also the field manager's name, so it never changes. */
  readonly name: string;
  /** The path at which it is asked, by POST. Default: `/hooks/<name>`, or as Cluster API makes it. */
  readonly path?: string;
  /** The schema of the question; one that does not fit is refused with the path of the fault. */
  readonly request: Q;
  /** The schema of the answer; one that does not fit is not sent. */
  readonly response: A;
  /** Set: a runtime hook of Cluster API. It is registered, and told by discovery. */
  readonly requestHook?: RequestHook;
  /** For so long whoever asks waits, 1 to 30. Default: 10. */
  readonly timeoutSeconds?: number;
  /** The fate of whatever waits for the answer while nobody gives one, as discovery tells it. Default: `Fail`. */
  readonly failurePolicy?: "Fail" | "Ignore";
}

/** A question, as the functions of a hook see it. */
export interface Asked<Q extends z.ZodType> {
  readonly request: z.output<Q>;
}
/** The second argument of `store` and `answer`. */
export interface HookContext<C> {
  readonly config: C;
}
/** The argument of a hook's `observe`: the question, reads of the declared kinds, and the configuration. */
export interface HookScope<Names extends string, C> extends HookContext<C> {
  readonly read: Reader<Names>;
}
/** An answer that is there at once. */
type Now<T> = T & { readonly then?: never };
type NoSlots<R extends Kind> = R extends { readonly dynamic: true }
  ? { readonly "a hook reads and writes kinds, no slots": R["id"] }
  : unknown;

/** The declaration of a hook, as `hook({ … }).function({ … })` takes it. */
export type HookFields<
  Q extends z.ZodType,
  A extends z.ZodType,
  R extends Kind,
  W extends Kind,
  C extends z.ZodType,
  World,
> = {
  /** The kinds that `observe` reads; those that it writes need not be named. */
  readonly reads?: readonly (R & NoSlots<R>)[];
  /** The verbs that it uses on a kind, where they are fewer than its declaration would allow. */
  readonly verbs?: { readonly [Name in NoInfer<R["id"] | W["id"]>]?: readonly Verb[] };
  readonly config?: C;
  /** Reads all that `store` and `answer` decide on, besides the question. Whoever asks waits for it. */
  readonly observe?: (scope: Asked<Q> & HookScope<R["id"] | W["id"], z.output<C>>) => Promise<World>;
  /**
   * Answers from what is stored: it runs only where `store` leaves nothing to be written any more. Pure: no clock, no random source, no
   * I/O.
   */
  readonly answer: (world: Asked<Q> & NoInfer<World>, context: HookContext<z.output<C>>) => Now<z.input<A>>;
  /**
   * The answer where nothing could be read or stored, or the time is over: it should let whoever asks ask again. Absent: a 503 with the
   * reason, for Cluster API a `Failure`.
   */
  readonly failed?: (error: EffectError, asked: Asked<Q>) => Now<z.input<A>>;
} & (
  | {
      /** The kinds that it writes. */
      readonly writes: readonly [W & NoSlots<W>, ...(W & NoSlots<W>)[]];
      /**
       * The writes by which it is stored that it was asked; nothing where that stands already, or nobody needs to know. Pure. After a
       * write everything is read anew, and this is asked again.
       */
      readonly store: (
        world: Asked<Q> & NoInfer<World>,
        context: HookContext<z.output<C>>,
      ) => Effects<W["id"]> | undefined;
      readonly storesNothing?: never;
    }
  | {
      readonly writes?: never;
      readonly store?: never;
      /** The reason why nothing is stored of what it is told. */
      readonly storesNothing: string;
    }
);

/** A hook as its author holds it. `decide` is its `answer`, typed, for tests of the decision alone. */
export interface BoundHook<Q extends z.ZodType, A extends z.ZodType, World = never, C = never>
  extends HookDeclaration {
  /** The `answer` of the declaration, with its types. */
  readonly decide: (world: Asked<Q> & World, context: HookContext<C>) => z.input<A>;
}

/**
 * Declares a hook: a question that another controller asks over HTTP and waits for. That it was asked is stored first, in objects that
 * functions wake on; then it is answered from what is stored. So the same question gets the same answer, however often, late or
 * beside others it comes.
 *
 * @example A widget may go once its function has seen that it is asked for
 * ```ts
 * import { defineSystem, hook, patch } from "reveille";
 * import * as z from "zod";
 * import { Widget } from "./kinds.ts";
 *
 * export const mayGo = hook({
 *   name: "may-go",
 *   request: z.object({ name: z.string(), namespace: z.string() }),
 *   response: z.object({ go: z.boolean(), retryAfterSeconds: z.number() }),
 * }).function({
 *   writes: [Widget],
 *   observe: async ({ request, read }) => ({ widget: await read.get(Widget, request) }),
 *   store: ({ widget }) => widget && patch(Widget, widget, { annotations: { "example.org/asked": "to-go" } }),
 *   answer: ({ widget }) => {
 *     const go = widget === undefined || widget.metadata.labels["example.org/idle"] === "yes";
 *     return { go, retryAfterSeconds: go ? 0 : 10 };
 *   },
 *   failed: () => ({ go: false, retryAfterSeconds: 10 }),
 * });
 *
 * export const system = defineSystem({ name: "widgets", functions: [], hooks: [mayGo] });
 * ```
 */
export const hook = <Q extends z.ZodType, A extends z.ZodType>(options: HookOptions<Q, A>) => ({
  /** Gives the hook what it reads, stores and answers. */
  function: <
    World = unknown,
    R extends Kind = never,
    W extends Kind = never,
    C extends z.ZodType = z.ZodType<Record<never, never>>,
  >(
    declaration: HookFields<Q, A, R, W, C, World>,
  ): BoundHook<Q, A, World, z.output<C>> => {
    const { name, path, request, response, requestHook, timeoutSeconds, failurePolicy, ...none } = options;
    const { reads, writes, verbs, config, observe, store, storesNothing, answer, failed, ...unknown } =
      declaration;
    const [stray] = Object.keys({ ...none, ...unknown });
    if (stray !== undefined)
      throw new DeclarationError(
        "DECLARATION_FIELD",
        `${name}: a hook's declaration has no ${stray}. Take it out, or name what is meant (reads, writes, verbs, config, observe, store, storesNothing, answer, failed).`,
      );
    const bound = {
      name,
      path: path ?? hookPath(name, requestHook),
      request,
      response,
      requestHook,
      timeoutSeconds: timeoutSeconds ?? 10,
      failurePolicy: failurePolicy ?? "Fail",
      reads: reads ?? [],
      writes: writes ?? [],
      verbs: verbs ?? {},
      storesNothing,
      config,
      observe,
      store,
      answer,
      failed,
    };
    const fault = hookFault(bound);
    if (fault !== undefined) throw new DeclarationError("DECLARATION_HOOK", `${name}: ${fault}`);
    return { ...bound, decide: answer };
  },
});
