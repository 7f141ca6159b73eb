import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { EventDefinition } from "../../events/index.ts";
import type { Bus, Route } from "../../shared/bus/contract.ts";
import { defaultRetry, type RetryPolicy } from "../../shared/bus/retry.ts";
import type { Clock } from "../../shared/clock/clock.ts";
import type { Log } from "../../shared/log/log.ts";
import { type Settings, SettingsError } from "../settings/index.ts";

/** What every bus is opened with. */
export interface BusParts {
  /** Names this process to the bus's server. */
  readonly name: string;
  /** Names of all functions of the installation, whoever runs them. */
  readonly functions: readonly string[];
  readonly route: Route;
  readonly types: () => ReadonlyMap<string, EventDefinition>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens the bus that the settings choose. Only the chosen adapter is loaded. */
export async function openBus(settings: Settings, parts: BusParts): Promise<Bus> {
  const retry: RetryPolicy = { ...defaultRetry, maximumAttempts: settings.runs.maximumAttempts };
  switch (settings.bus.kind) {
    case "embedded": {
      const { file, lease, powerCutSafe } = settings.bus.embedded;
      const { openEmbeddedBus } = await import("../../shared/bus/embedded/index.ts");
      if (file !== ":memory:") makeFolderOf(file);
      return openEmbeddedBus({ ...parts, file, powerCutSafe, leaseMilliseconds: lease, retry });
    }
    case "nats": {
      const { natsOptions, openNatsBus } = await import("../../shared/bus/nats/index.ts");
      return openNatsBus({ ...parts, nats: settings.bus.nats ?? natsOptions.parse({}), retry });
    }
    case "sqs":
      throw new SettingsError([
        { path: "bus.kind", place: "bus.kind", message: "on SQS functions run on Lambda, not in a worker" },
      ]);
  }
}

/** For its owner only. */
export function makeFolderOf(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
}
