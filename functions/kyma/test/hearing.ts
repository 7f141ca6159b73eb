import { randomUUID } from "node:crypto";
import type { Stack } from "../../../infra/testing/stack.ts";
import type { Clock } from "../../../shared/clock/clock.ts";
import { BeatKeeper } from "../../../shared/host/beats/index.ts";
import { silent } from "../../../shared/log/log.ts";
import { listener } from "../decide/watch/index.ts";

/** A host that hears the signs of life of runtimes, as `serve` does; it starts with the first one. */
export interface Hearing {
  ear(): Promise<BeatKeeper>;
  /** Resolves once it looks at nothing. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** Has a host hear on a stack. */
export function hearing({ client, engine }: Pick<Stack, "client" | "engine">, clock: Clock): Hearing {
  let keeper: BeatKeeper | undefined;
  return {
    ear: async () => {
      if (keeper !== undefined) return keeper;
      keeper = new BeatKeeper({
        client,
        bus: engine.bus,
        triggers: [listener],
        namespace: "reveille-system",
        host: randomUUID(),
        clock,
        log: silent,
      });
      await keeper.start();
      return keeper;
    },
    idle: async () => keeper?.idle(),
    stop: async () => {
      const former = keeper;
      keeper = undefined;
      await former?.stop();
    },
  };
}
