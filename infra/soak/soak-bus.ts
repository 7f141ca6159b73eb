import { join } from "node:path";
import { type NatsServer, startNatsServer } from "../testing/nats-server.ts";

/** A bus that several processes share, and how it is broken. */
export interface SoakBus {
  /** The settings under `bus` of every member. Asked once it has started. */
  readonly settings: object;
  /** Kills what others must do without, where that is a server, and starts it again. */
  readonly outage: { stop(): Promise<void>; start(): Promise<void> } | undefined;
  close(): Promise<void>;
}

/** One SQLite file that all processes open. */
export const embeddedSoakBus = (folder: string): SoakBus => ({
  settings: { kind: "embedded", embedded: { file: join(folder, "bus.db"), lease: "10s" } },
  outage: undefined,
  close: async () => undefined,
});

/** A nats-server with file storage. */
export async function natsSoakBus(): Promise<SoakBus> {
  const server: NatsServer = await startNatsServer();
  return {
    settings: { kind: "nats", nats: { servers: [server.url] } },
    outage: { stop: () => server.kill(), start: () => server.start() },
    close: () => server.stop(),
  };
}
