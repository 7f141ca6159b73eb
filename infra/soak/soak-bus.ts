import { join } from "node:path";
import { type NatsServer, startNatsServer } from "../testing/nats-server.ts";

/** The bus of the members, and how it is broken. */
export interface SoakBus {
  /** The settings under `bus` of every member. Asked once it has started. */
  readonly settings: object;
  /** True where it belongs to one process, which is watcher and worker in one. */
  readonly ofOne: boolean;
  /** Kills what others must do without, where that is a server, and starts it again. */
  readonly outage: { stop(): Promise<void>; start(): Promise<void> } | undefined;
  close(): Promise<void>;
}

/** A journal and a file of one process. */
export const embeddedSoakBus = (folder: string): SoakBus => ({
  settings: { kind: "embedded", embedded: { file: join(folder, "bus.db") } },
  ofOne: true,
  outage: undefined,
  close: async () => undefined,
});

/** A nats-server with file storage. */
export async function natsSoakBus(): Promise<SoakBus> {
  const server: NatsServer = await startNatsServer();
  return {
    ofOne: false,
    settings: { kind: "nats", nats: { servers: [server.url] } },
    outage: { stop: () => server.kill(), start: () => server.start() },
    close: () => server.stop(),
  };
}
