import { join } from "node:path";

/** A bus that several processes share, and how it is broken. */
export interface SoakBus {
  /** The settings under `bus` of every member. */
  readonly settings: object;
  /** Whether it is something that can be stopped: a server, not a file. */
  readonly mayStop: boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** One SQLite file that all processes open. */
export const embeddedSoakBus = (folder: string): SoakBus => ({
  settings: { kind: "embedded", embedded: { file: join(folder, "bus.db"), lease: "10s" } },
  mayStop: false,
  start: async () => undefined,
  stop: async () => undefined,
});
