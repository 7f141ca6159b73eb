import { join } from "node:path";
import { startEmulatedAws } from "../testing/emulated-aws.ts";
import { FaultProxy } from "../testing/fault-proxy.ts";
import { type NatsServer, startNatsCluster, startNatsServer } from "../testing/nats-server.ts";

/**
 * The lease of messages over SQS. Queues hand messages out to a request whose connection is gone too, and these come again when
 * their lease is over: before all is to be as it should be.
 */
const LEASE_SECONDS = 10;

/** The bus of a site. */
export interface FaultyBus {
  /** The settings under `bus` of every member. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Added to the environment of every member. */
  readonly environment: NodeJS.ProcessEnv;
  /** True where it belongs to one process, which is watcher and worker in one. */
  readonly ofOne: boolean;
  stop(): Promise<void>;
}

/** A bus of real servers, and the places where it breaks. */
export interface BrokeredBus extends FaultyBus {
  /** Between the members and the broker. */
  readonly broker: FaultProxy;
  /** Between the members and the table; undefined where there is none. */
  readonly table: FaultProxy | undefined;
  /** Ends the broker with SIGKILL, does what is asked meanwhile, and starts it again; undefined where it is emulated. */
  readonly whileKilled:
    | ((meanwhile: (storeFolder: string) => Promise<void> | void) => Promise<void>)
    | undefined;
}

/** A journal and a file of one process, in a folder. */
export const embeddedIn = (folder: string): FaultyBus => ({
  settings: { kind: "embedded", embedded: { file: join(folder, "bus.db") } },
  environment: {},
  ofOne: true,
  stop: async () => undefined,
});

/** A nats-server with file storage, behind a proxy. */
export async function natsBehindProxy(): Promise<BrokeredBus> {
  const server = await startNatsServer();
  const broker = await FaultProxy.start(server.port);
  return {
    settings: { kind: "nats", nats: { servers: [`nats://127.0.0.1:${broker.port}`] } },
    environment: {},
    ofOne: false,
    broker,
    table: undefined,
    async whileKilled(meanwhile) {
      await server.kill();
      await meanwhile(server.folder);
      await server.start();
    },
    async stop() {
      await broker.stop();
      await server.stop();
    },
  };
}

/** Three nats-servers with file storage that keep everything three times. `broker` lies before the first of them. */
export async function natsCluster(): Promise<BrokeredBus & { readonly servers: readonly NatsServer[] }> {
  const servers = await startNatsCluster();
  const [first, ...others] = servers;
  if (first === undefined) throw new Error("no server was started");
  const broker = await FaultProxy.start(first.port);
  return {
    settings: {
      kind: "nats",
      nats: { servers: [`nats://127.0.0.1:${broker.port}`, ...others.map(({ url }) => url)], replicas: 3 },
    },
    environment: {},
    servers,
    ofOne: false,
    broker,
    table: undefined,
    whileKilled: undefined,
    async stop() {
      await broker.stop();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

/** Emulated queues and an emulated table for these functions, each behind a proxy. */
export async function sqsBehindProxies(functions: readonly string[]): Promise<BrokeredBus> {
  const aws = await startEmulatedAws(functions);
  const [broker, table] = await Promise.all([FaultProxy.start(aws.port), FaultProxy.start(aws.table.port)]);
  const { kind, sqs } = aws.settings({ queues: broker.port, table: table.port });
  return {
    settings: { kind, sqs: { ...sqs, leaseSeconds: LEASE_SECONDS } },
    environment: aws.credentials,
    ofOne: false,
    broker,
    table,
    whileKilled: undefined,
    async stop() {
      await Promise.all([broker.stop(), table.stop()]);
      await aws.stop();
    },
  };
}
