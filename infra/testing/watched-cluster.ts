import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "vitest";
import type { Envelope, ResourceChanged, ResourceDeleted } from "../../events/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { noCredentials } from "../../shared/kube/http/connection.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import type { Log } from "../../shared/log/log.ts";
import type { WatchedKind } from "../../shared/runner/watch-list.ts";
import { startWatcher, type Watcher, type WatcherOptions } from "../watcher/index.ts";
import { LEASES } from "../watcher/lease.ts";
import { FakeApiServer } from "./fake-api-server.ts";

/** A kind with facts, readiness, and a function that is keyed by it. */
export const widgets: WatchedKind = {
  group: "bench.example.org",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
  facts: { value: ["spec", "value"] },
  ready: { path: ["status", "conditions", "[Ready]", "status"], equals: "True" },
  interest: "all",
};
/** A kind of which only facts in metadata matter. */
export const configMaps: WatchedKind = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  scope: "Namespaced",
  facts: { tier: ["metadata", "labels", "tier"] },
  ready: undefined,
  interest: "facts",
};

/** Waits for what is to become true. Throws with `what` after the deadline. */
export async function until(
  condition: () => boolean,
  what: string | (() => string),
  milliseconds = 60_000,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > deadline)
      throw new Error(`Not in time: ${typeof what === "string" ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

interface Line {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A log that is kept, to be asked. */
export function keptLog(lines: Line[], bound: object = {}): Log {
  const write =
    (level: string) =>
    (fields: object, message: string): void => {
      lines.push({ level, fields: { ...bound, ...fields }, message });
    };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    child: (fields) => keptLog(lines, { ...bound, ...fields }),
  };
}

/** Short times, so that what takes a minute in life takes an instant here. */
export const shortTiming = {
  silence: 5000,
  backOffFirst: 4,
  backOffMost: 40,
  absentMost: 20,
  forbidden: 30,
  vanished: 200,
  quiet: 20,
};

/** A fake API server, a bus that keeps what it is given, and watchers between them. Ends with its test. */
export class WatchedCluster {
  readonly server: FakeApiServer;
  readonly events: Envelope[] = [];
  readonly log: Line[] = [];
  readonly directory = mkdtempSync(join(tmpdir(), "watcher-"));
  /** Replaces the bus. */
  publish = async (events: Envelope[]): Promise<void> => {
    this.events.push(...events);
  };
  readonly #clients: KubeClient[] = [];
  readonly #watchers: Watcher[] = [];

  private constructor(server: FakeApiServer) {
    this.server = server;
  }

  static async start(
    t: Pick<TestContext, "onTestFinished">,
    kinds: readonly WatchedKind[] = [widgets, configMaps],
  ): Promise<WatchedCluster> {
    const cluster = new WatchedCluster(await FakeApiServer.start([...kinds, LEASES]));
    t.onTestFinished(() => cluster.stop());
    return cluster;
  }

  get ledgerFile(): string {
    return join(this.directory, "ledger.sqlite");
  }

  client(): KubeClient {
    const client = createKubeClient({
      connection: {
        server: this.server.url,
        namespace: "default",
        tls: {},
        credentials: noCredentials,
        headers: {},
      },
      throttledMilliseconds: 0,
    });
    this.#clients.push(client);
    return client;
  }

  watch(options: Partial<WatcherOptions> = {}): Watcher {
    const { timing, ...rest } = options;
    const watcher = startWatcher({
      client: this.client(),
      cluster: { name: "test-12345678" },
      watchList: { kinds: [widgets] },
      ledger: { file: this.ledgerFile },
      publish: (events) => this.publish(events),
      clock: systemClock,
      log: keptLog(this.log),
      identity: "watcher-a",
      lease: false,
      timing: { ...shortTiming, ...timing },
      ...rest,
    });
    this.#watchers.push(watcher);
    return watcher;
  }

  /** Starts a watcher and waits until it has told all that there is. */
  async settled(options: Partial<WatcherOptions> = {}): Promise<Watcher> {
    const watcher = this.watch(options);
    await watcher.settled();
    return watcher;
  }

  /** The events that were published since the last call. */
  take(): Envelope[] {
    return this.events.splice(0);
  }

  /** Waits until so many events are there, and takes them. */
  async next(count = 1): Promise<Envelope[]> {
    await until(
      () => this.events.length >= count,
      () =>
        `${count} events; there are ${JSON.stringify(this.events.map(short))}; log ${JSON.stringify(this.log.slice(-5))}`,
    );
    return this.take();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#watchers.map((watcher) => watcher.stop()));
    for (const client of this.#clients) client.close();
    await this.server.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** `resource.changed a 1`: an event in few words. */
export function short(event: Envelope): string {
  const { ref } = event.data as ResourceChanged["data"];
  return `${event.type} ${ref.name} ${ref.uid}`;
}
export const changed = (event: Envelope | undefined): ResourceChanged["data"] =>
  dataOf(event, "resource.changed");
export const deleted = (event: Envelope | undefined): ResourceDeleted["data"] =>
  dataOf(event, "resource.deleted");

function dataOf<D>(event: Envelope | undefined, type: string): D {
  if (event?.type !== type)
    throw new Error(`Wanted ${type}, got ${event === undefined ? "nothing" : short(event)}`);
  return event.data as D;
}

export const readyStatus = (status: "True" | "False"): object => ({
  conditions: [{ type: "Ready", status }],
});
