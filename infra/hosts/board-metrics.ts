import { Gauge, type Registry } from "prom-client";
import {
  METRICS,
  type Measured,
  type MetricName,
  type Sample,
  type Snapshot,
  samplesOf,
  snapshotOf,
  transitionsBetween,
} from "../../functions/cluster-version/board/index.ts";
import { ClusterOperator, ClusterVersion } from "../../functions/cluster-version/kinds/index.ts";
import { messageOf } from "../../shared/errors.ts";
import type { FunctionDeclaration } from "../../shared/function/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { parseObject } from "../../shared/kube/read.ts";
import type { Log } from "../../shared/log/log.ts";

type Reading = Pick<KubeClient, "get" | "list">;

/** Whether one of these functions may read the board: its process then tells how it stands. */
export const readsBoard = (functions: readonly FunctionDeclaration[]): boolean =>
  functions.some(
    ({ key }) => key.kind.group === ClusterVersion.group && key.kind.kind === ClusterVersion.kind,
  );

/** The metrics of ClusterVersion and ClusterOperators, read from the API server at each scrape and at no other time. */
export function measureBoard(client: Reading, registers: Registry[], log: Log): void {
  const counted = new Map<string, number>();
  let before: Snapshot | undefined;
  // All gauges of one scrape are filled at the same time: they share one look.
  let asked: Promise<Readonly<Record<MetricName, readonly Sample[]>>> | undefined;
  const look = async (): Promise<Readonly<Record<MetricName, readonly Sample[]>>> => {
    const measured = await read(client, log);
    // What could not be read has neither changed nor gone.
    if (measured !== undefined) {
      const now = snapshotOf(measured);
      for (const [key, times] of transitionsBetween(before ?? now, now))
        counted.set(key, (counted.get(key) ?? 0) + times);
      for (const key of now.keys()) counted.set(key, counted.get(key) ?? 0);
      before = now;
    }
    return {
      ...samplesOf(measured ?? { clusterVersion: undefined, operators: [] }),
      cluster_operator_condition_transitions: measured === undefined ? [] : transitionSamples(counted),
    };
  };
  const shared = (): ReturnType<typeof look> => {
    asked ??= look().finally(() => {
      asked = undefined;
    });
    return asked;
  };
  for (const name of Object.keys(METRICS) as MetricName[]) {
    const { help, labels } = METRICS[name];
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers,
      collect: async () => {
        const samples = await shared();
        gauge.reset();
        for (const sample of samples[name]) gauge.set(sample.labels, sample.value);
      },
    });
  }
}

/** Undefined where the API server does not tell. */
async function read(client: Reading, log: Log): Promise<Measured | undefined> {
  try {
    const [version, { items }] = await Promise.all([
      client.get(resourceOf(ClusterVersion), { name: "version" }),
      client.list(resourceOf(ClusterOperator)),
    ]);
    return {
      clusterVersion: version === undefined ? undefined : parseObject(ClusterVersion, version),
      operators: items.map((raw) => parseObject(ClusterOperator, raw)),
    };
  } catch (thrown) {
    log.warn({ error: messageOf(thrown) }, "the status board cannot be read for the metrics");
    return undefined;
  }
}

const transitionSamples = (counted: ReadonlyMap<string, number>): readonly Sample[] =>
  [...counted].map(([key, value]) => {
    const [name = "", condition = ""] = key.split("/");
    return { labels: { name, condition }, value };
  });
