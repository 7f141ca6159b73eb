import type { Envelope } from "../../events/index.ts";
import type { Bus } from "../../shared/bus/contract.ts";
import type { Log } from "../../shared/log/log.ts";
import type { Travelling } from "./travelling.ts";

/** How a watcher publishes to a bus: resolves when all is durable; what the bus refuses is told, and kept by the bus. */
export const publishTo =
  (bus: Pick<Bus, "publish">, log: Log, travelling?: Pick<Travelling, "withObjects">) =>
  async (events: readonly Envelope[]): Promise<void> => {
    const { refused } = await bus.publish(travelling?.withObjects(events) ?? events);
    for (const { id, issues } of refused) log.error({ id, issues }, "an event of the watcher was refused");
  };
