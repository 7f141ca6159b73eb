import { defaultRetry } from "../../shared/bus/retry.ts";
import { openSqsBus, type SqsBus } from "../../shared/bus/sqs/index.ts";
import { COMMANDS } from "../../shared/function/commands.ts";
import { type Settings, SettingsError } from "../settings/index.ts";
import type { BusParts } from "./bus-parts.ts";

/** Opens the bus on SQS as the settings say. Commands have a work queue as functions have. Throws a `SettingsError`. */
export function openSqs(settings: Settings, parts: BusParts): SqsBus {
  const { sqs } = settings.bus;
  if (sqs === undefined)
    throw new SettingsError([
      { path: "bus.sqs", place: "bus.kind", message: "on SQS workQueue, timerQueue and table are needed" },
    ]);
  const { functions, route, types, clock, log } = parts;
  return openSqsBus({
    ...sqs,
    functions: [...new Set([...functions, COMMANDS])],
    route,
    types,
    clock,
    log,
    retry: { ...defaultRetry, maximumAttempts: settings.runs.maximumAttempts },
  });
}
