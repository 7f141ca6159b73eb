import { randomUUID } from "node:crypto";
import type { Bus } from "../../shared/bus/contract.ts";
import type { Clock } from "../../shared/clock/clock.ts";
import type { OtherClusters } from "../../shared/kube/client/index.ts";
import type { Log } from "../../shared/log/log.ts";
import { connectionEvent } from "../watcher/elsewhere/connection-event.ts";
import { publishTo } from "./publish.ts";

/**
 * Publishes that a connection to one of other clusters went away or came back, as this process found it: exactly the keys that wait for it
 * wake. One that could not be told is found by the watcher, which probes what is waited for, or by the keys' net.
 * @returns ends it
 */
export function connectionNews(of: {
  readonly others: Pick<OtherClusters, "subscribe">;
  readonly bus: Pick<Bus, "publish">;
  readonly home: string;
  readonly clock: Clock;
  readonly log: Log;
}): () => void {
  const { others, bus, home, clock, log } = of;
  const publish = publishTo(bus, log);
  return others.subscribe((reference, standing) => {
    const event = connectionEvent({ home, reference, standing, now: clock.now(), id: randomUUID() });
    publish([event]).catch((error: unknown) => {
      log.warn({ error, subject: event.subject }, "the state of a connection could not be published");
    });
  });
}
