import { messageOf } from "../../shared/errors.ts";
import type { SystemMetrics } from "../../shared/function/metrics.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { parseObject } from "../../shared/kube/read.ts";
import type { Log } from "../../shared/log/log.ts";
import {
  METRICS,
  type Measured,
  type MetricName,
  type Sample,
  type Snapshot,
  samplesOf,
  snapshotOf,
  transitionsBetween,
} from "./decide/board/index.ts";
import { ClusterOperator, ClusterVersion } from "./kinds/index.ts";

type Reading = Pick<KubeClient, "get" | "list">;

/** The metrics of ClusterVersion and ClusterOperators, read from the API server at each scrape and at no other time. */
export const metrics: SystemMetrics<MetricName> = {
  kind: ClusterVersion,
  declared: METRICS,
  open(client, log) {
    const counted = new Map<string, number>();
    let before: Snapshot | undefined;
    return async () => {
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
        samples: {
          ...samplesOf(measured ?? { clusterVersion: undefined, operators: [] }),
          cluster_operator_condition_transitions: measured === undefined ? [] : transitionSamples(counted),
        },
        isWhole: measured !== undefined,
      };
    };
  },
};

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
