import { defaultRetry } from "../../shared/bus/retry.ts";
import { openSqsBus, type SqsBus } from "../../shared/bus/sqs/index.ts";
import { type Settings, SettingsError } from "../settings/index.ts";
import type { BusParts } from "./bus-parts.ts";

/** Opens the bus on SQS as the settings say. Throws a `SettingsError`. */
export function openSqs(settings: Settings, parts: BusParts): SqsBus {
  const { sqs } = settings.bus;
  if (sqs === undefined)
    throw new SettingsError([
      { path: "bus.sqs", place: "bus.kind", message: "on SQS workQueue, timerQueue and table are needed" },
    ]);
  const { routing, clock, log } = parts;
  return openSqsBus({
    ...sqs,
    functions: routing.queues,
    route: routing.route,
    types: routing.types,
    clock,
    log,
    retry: { ...defaultRetry, maximumAttempts: settings.runs.maximumAttempts },
  });
}
