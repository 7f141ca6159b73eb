import { Gauge, type Registry } from "prom-client";
import type { Clock } from "../../shared/clock/clock.ts";
import type { SystemMetrics } from "../../shared/function/metrics.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import type { Log } from "../../shared/log/log.ts";
import { sharedLook } from "./shared-look.ts";

/** Registers a gauge for each metric of a system. All of one scrape share one look. */
export function measureSystem<Name extends string>(
  { declared, open }: SystemMetrics<Name>,
  client: Pick<KubeClient, "get" | "list">,
  registers: Registry[],
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): void {
  const shared = sharedLook(open(client, log, clock), clock, ({ isWhole }) => isWhole);
  for (const name of Object.keys(declared) as Name[]) {
    const { help, labels } = declared[name];
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers,
      collect: async () => {
        const { samples } = await shared();
        gauge.reset();
        for (const sample of samples[name]) gauge.set(sample.labels, sample.value);
      },
    });
  }
}
