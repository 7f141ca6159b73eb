import type { Bus } from "../../shared/bus/contract.ts";
import type { Log } from "../../shared/log/log.ts";
import type { Settings } from "../settings/index.ts";
import type { Traces } from "./otlp.ts";

/** Sends a span for each run where `traces.endpoint` is set; the exporter is loaded only then. */
export async function startTraces(
  settings: Settings,
  parts: {
    readonly bus: Pick<Bus, "subscribe">;
    readonly service: string;
    readonly version: string;
    readonly log: Log;
  },
): Promise<Traces> {
  const { endpoint, headers = {}, sampled } = settings.traces;
  if (endpoint === undefined) return { stop: async () => undefined };
  const { exportRuns } = await import("./otlp.ts");
  return exportRuns({ endpoint, headers, sampled }, parts);
}
