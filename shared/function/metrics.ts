import type { Clock } from "../clock/clock.ts";
import type { KubeClient } from "../kube/client.ts";
import type { Kind } from "../kube/kind.ts";
import type { Log } from "../log/log.ts";

/** One metric, as a scrape explains it. */
export interface MetricDeclaration {
  readonly help: string;
  readonly labels: readonly string[];
}
/** One line of a scrape. */
export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The answer of one look at the cluster. */
export interface SystemSamples<Name extends string = string> {
  readonly samples: Readonly<Record<Name, readonly MetricSample[]>>;
  /** False where a part could not be read: then the next scrape looks anew. */
  readonly isWhole: boolean;
}

/**
 * The type of `metrics`, which `metrics.ts` of a system exports: gauges that a worker tells for it, read at a scrape and at no
 * other time.
 */
export interface SystemMetrics<Name extends string = string> {
  /**
   * The kind that the gauges are about. A worker tells them where it runs a function of this kind: its account may then read the
   * kind.
   */
  readonly kind: Kind;
  readonly declared: Readonly<Record<Name, MetricDeclaration>>;
  /** Begins for one process. The function that it returns reads the cluster once, for all metrics of a scrape. */
  readonly open: (
    client: Pick<KubeClient, "get" | "list">,
    log: Log,
    clock: Pick<Clock, "now">,
  ) => () => Promise<SystemSamples<Name>>;
}
