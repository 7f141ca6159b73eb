import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Bus } from "../../shared/bus/contract.ts";
import { defaultRetry, type RetryPolicy } from "../../shared/bus/retry.ts";
import type { Settings } from "../settings/index.ts";
import type { BusParts } from "./bus-parts.ts";

/** Opens the bus that the settings choose. Only the chosen adapter is loaded. */
export async function openBus(settings: Settings, { routing, ...others }: BusParts): Promise<Bus> {
  const { queues: functions, knows: isKnown, route, types } = routing;
  const parts = { ...others, functions, route, types };
  const retry: RetryPolicy = { ...defaultRetry, maximumAttempts: settings.runs.maximumAttempts };
  switch (settings.bus.kind) {
    case "embedded": {
      const { file, powerCutSafe } = settings.bus.embedded;
      const { openEmbeddedBus, openEmbeddedClient } = await import("../../shared/bus/embedded/index.ts");
      if (file !== ":memory:") makeFolderOf(file);
      if (others.asks) return openEmbeddedClient({ file, route, types, clock: others.clock });
      return openEmbeddedBus({ ...parts, file, isKnown, powerCutSafe, retry });
    }
    case "nats": {
      const { natsOptions, openNatsBus } = await import("../../shared/bus/nats/index.ts");
      return openNatsBus({ ...parts, nats: settings.bus.nats ?? natsOptions.parse({}), retry });
    }
    case "sqs": {
      const { openSqs } = await import("./open-sqs.ts");
      return openSqs(settings, { ...others, routing });
    }
  }
}

/** For its owner only. */
export function makeFolderOf(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
}
