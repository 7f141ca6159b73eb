import type { KubeClient } from "../kube/client.ts";

/** The work that a command has functions do on a cluster. */
export interface RunHereOptions {
  /** The cluster, as `--kubeconfig` and `--context` name it. */
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  /** The file of the settings. */
  readonly config?: string | undefined;
  /** True: definitions of kinds that stand there otherwise are changed without a question. */
  readonly yes: boolean;
  /** The names of the system's functions that run. */
  readonly functions: readonly string[];
  /** The system's configuration, made from that of the settings. */
  readonly configured: (settings: unknown) => unknown;
  /** Looks at the cluster before anything is changed there; rejects to stop. */
  readonly before: (client: KubeClient) => Promise<void>;
  /** Writes what the functions are to see from the first moment; the kinds are there by then. */
  readonly prepare: (client: KubeClient) => Promise<void>;
}

/** Functions that run in this process. */
export interface RunningHere {
  readonly client: KubeClient;
  /** Resolves when nothing moves any more, or when the time is over; rejects when the user interrupts. */
  rest(
    limitMilliseconds: number,
  ): Promise<{ readonly settled: boolean; readonly reasons: readonly string[] }>;
  /** Resolves when something has moved since the last rest, or when the time is over; rejects when the user interrupts. */
  moved(limitMilliseconds: number): Promise<void>;
}

/**
 * Runs functions of the system in this process, on a cluster, with bus and ledger in memory, until `follow` ends; runs that have begun
 * are ended whole. Throws a `CliError` where another Reveille, or an operator before, looks after the cluster.
 */
export type RunHere = <T>(
  options: RunHereOptions,
  follow: (running: RunningHere) => Promise<T>,
) => Promise<T>;
