import { Gauge, type Registry } from "prom-client";
import type { OtherClusters } from "../../shared/kube/client/index.ts";

/** Measures the other clusters that this process used lately. */
export function measureClusters(others: Pick<OtherClusters, "all">, registers: Registry[]): void {
  const up: Gauge<"cluster" | "state"> = new Gauge({
    name: "reveille_cluster_up",
    help: "0 while one of other clusters cannot be used; the state says why",
    labelNames: ["cluster", "state"],
    registers,
    collect: () => {
      up.reset();
      for (const { reference, standing } of others.all)
        up.set(
          { cluster: reference.slice(1), state: standing.state },
          standing.state === "reachable" ? 1 : 0,
        );
    },
  });
}
