/**
 * Something beyond the Kubernetes API that a function uses: releases, charts, registries. An interface of two sides, each with a real
 * and an in-memory implementation: `Reads` is for `observe`, `Effects` for `call`.
 */
export interface Port<Id extends string = string, Reads = unknown, Effects = unknown> {
  readonly id: Id;
  readonly port: true;
  /**
   * Says what stands behind the port: what engines and hosts are started with.
   * @param probe where all of it is one connection: why it cannot be reached now, undefined where it can. While it is away, no item of a
   * function that uses the port is taken, and a run that meets that counts as no attempt
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

/** A port with what stands behind it. */
export interface BoundPort {
  readonly port: AnyPort;
  readonly implementation: object;
  readonly probe?: (() => Promise<string | undefined>) | undefined;
}

export type ReadsOf<P extends AnyPort> = P extends Port<string, infer Reads, infer _> ? Reads : never;
export type EffectsOf<P extends AnyPort> = P extends Port<string, infer _, infer Effects> ? Effects : never;

/** What an effect of a port is told beside its argument. */
export interface CallOptions {
  /** Names the one effect that is meant: a second call with it finds the first. */
  readonly key: string;
  /** Aborted where the run is cut off or its lease is lost. */
  readonly signal: AbortSignal;
}
/**
 * Declares a port. Its first type is what `use(port)` gives in `observe`, its second what `call(port, …)` may ask for.
 *
 * @example
 * const payloads = definePort("payloads").of<{ load(image: string): Promise<Payload> }>();
 * each(Release).function({ uses: [payloads], observe: async ({ self, use }) => ({ payload: await use(payloads).load(self.spec.image) }), … });
 * startEngine({ ports: [payloads.bind(directoryPayloads("/releases"))], … });
 */
export const definePort = <const Id extends string>(id: Id) => ({
  of: <Reads extends object, Effects extends object = Record<never, never>>(): Port<Id, Reads, Effects> => {
    const port: Port<Id, Reads, Effects> = {
      id,
      port: true,
      bind: (implementation, probe) => ({ port, implementation, ...(probe !== undefined && { probe }) }),
    };
    return port;
  },
});
