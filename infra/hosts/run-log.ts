import type { Bus } from "../../shared/bus/contract.ts";
import type { Log } from "../../shared/log/log.ts";
import { isNoOp, runFields } from "./run-fields.ts";

/** Tells each run that wrote or failed; those that found nothing to do only where the level is `debug`. */
export const logRuns = (bus: Pick<Bus, "subscribe">, log: Log): (() => void) =>
  bus.subscribe({
    ran: (run) => {
      if (isNoOp(run)) log.debug(runFields(run), "run");
      else log.info(runFields(run), "run");
    },
  });
