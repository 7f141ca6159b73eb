/**
 * A port: something beyond the Kubernetes API that a function uses, such as releases, charts or registries. It is an interface of
 * two sides, each with a real and an in-memory implementation: `Reads` is for `observe`, `Effects` for `call`.
 */
export interface Port<Id extends string = string, Reads = unknown, Effects = unknown> {
  readonly id: Id;
  readonly port: true;
  /**
   * Binds an adapter to the port; hosts are started with bound ports.
   * @param probe for an adapter with one connection: returns why it cannot be reached now, undefined where it can. While it is
   *   away, no item of a function that uses the port is taken, and a run that meets that counts as no attempt
   */
  bind(implementation: Reads & Effects, probe?: () => Promise<string | undefined>): BoundPort;
  readonly [reads]?: Reads;
  readonly [effects]?: Effects;
}
declare const reads: unique symbol;
declare const effects: unique symbol;

/** Any port. */
export interface AnyPort {
  readonly id: string;
  readonly port: true;
}

/** A port with its adapter. */
export interface BoundPort {
  readonly port: AnyPort;
  readonly implementation: object;
  /** Returns why the adapter's other side cannot be reached now, undefined where it can. */
  readonly probe?: (() => Promise<string | undefined>) | undefined;
}

/** The side of a port that `observe` may read. */
export type ReadsOf<P extends AnyPort> = P extends Port<string, infer Reads, infer _> ? Reads : never;
/** The side of a port that `call` may ask for. */
export type EffectsOf<P extends AnyPort> = P extends Port<string, infer _, infer Effects> ? Effects : never;

/** The second argument of a port's effect. */
export interface CallOptions {
  /** Names the one effect that is meant: a second call with it finds the first. */
  readonly key: string;
  /** Aborted where the run is cut off or its lease is lost. */
  readonly signal: AbortSignal;
}
/**
 * Declares a port. Its first type is the result of `use(port)` in `observe`, its second holds what `call(port, …)` may ask for.
 *
 * @example
 * ```ts
 * import { call, definePort, defineSystem, each } from "reveille";
 * import { Widget } from "./kinds.ts";
 *
 * const registry = definePort("registry").of<
 *   { tagsOf(image: string): Promise<readonly string[]> },
 *   { readonly copy: (image: string) => Promise<{ readonly digest: string }> }
 * >();
 *
 * const mirror = each(Widget).function({
 *   name: "mirror",
 *   uses: [registry],
 *   observe: async ({ self, use }) => ({ tags: await use(registry).tagsOf(self.spec.message) }),
 *   reconcile: ({ self, tags }) => ({
 *     effects: call(registry, "copy", self.spec.message, { key: `${self.metadata.uid} ${tags.at(-1)}` }),
 *   }),
 * });
 *
 * const inMemory = { tagsOf: async () => ["1.0.0"], copy: async (image: string) => ({ digest: image }) };
 * export const system = defineSystem({ name: "mirrors", functions: [mirror], ports: () => [registry.bind(inMemory)] });
 * ```
 */
export const definePort = <const Id extends string>(id: Id) => ({
  /** Gives the port its two sides. */
  of: <Reads extends object, Effects extends object = Record<never, never>>(): Port<Id, Reads, Effects> => {
    const port: Port<Id, Reads, Effects> = {
      id,
      port: true,
      bind: (implementation, probe) => ({ port, implementation, ...(probe !== undefined && { probe }) }),
    };
    return port;
  },
});
