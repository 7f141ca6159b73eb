import { readFileSync } from "node:fs";
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
} from "@nats-io/transport-node";
import { messageOf } from "../../errors.ts";
import { BusError } from "../errors.ts";
import type { NatsOptions } from "./options.ts";

/** The first that knows repeating schedules, their cancellation and their rollup. */
const OLDEST = [2, 14] as const;

/** Says how to reach the servers and as whom; secrets are read again at each connect, so that they may be renewed. */
export function connectionOptions(options: NatsOptions, name: string): ConnectionOptions {
  const { servers, user, password, token, nkey, credentialsFile, tls, inbox } = options;
  const named = [user, token, nkey, credentialsFile].filter((one) => one !== undefined);
  if (named.length > 1)
    throw new BusError(
      "BUS_MISCONFIGURED",
      "NATS takes one sort of credentials: name user and password, or token, or nkey, or credentialsFile.",
    );
  return {
    servers: [...servers],
    name,
    // A worker outlives its servers: it waits for them, at the start too.
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    reconnectJitterTLS: 250,
    waitOnFirstConnect: false,
    timeout: 5_000,
    pingInterval: 10_000,
    maxPingOut: 2,
    ignoreAuthErrorAbort: true,
    ...(inbox !== undefined && { inboxPrefix: inbox }),
    ...(user !== undefined && { user, pass: password ?? "" }),
    ...(token !== undefined && { token }),
    ...(nkey !== undefined && { authenticator: nkeyAuthenticator(new TextEncoder().encode(nkey.trim())) }),
    ...(credentialsFile !== undefined && {
      authenticator: credsAuthenticator(() => readFileSync(credentialsFile)),
    }),
    ...(tls !== undefined && {
      tls: {
        ...(tls.ca !== undefined && { caFile: tls.ca }),
        ...(tls.certificate !== undefined && { certFile: tls.certificate }),
        ...(tls.key !== undefined && { keyFile: tls.key }),
        handshakeFirst: tls.handshakeFirst,
      },
    }),
  };
}

/** Connects, and refuses a server that cannot keep the promises. */
export async function connectTo(options: NatsOptions, name: string): Promise<NatsConnection> {
  let connection: NatsConnection;
  try {
    connection = await connect(connectionOptions(options, name));
  } catch (thrown) {
    if (thrown instanceof BusError) throw thrown;
    throw new BusError(
      "BUS_UNREACHABLE",
      `NATS at ${options.servers.join(", ")} cannot be used: ${messageOf(thrown)}. Look whether it runs, and at the credentials.`,
      { cause: thrown },
    );
  }
  const version = connection.info?.version ?? "0.0.0";
  const tooOld = tooOldSentence(version);
  if (tooOld === undefined && connection.info?.jetstream === true) return connection;
  await connection.close();
  throw new BusError(
    tooOld === undefined ? "BUS_MISCONFIGURED" : "BUS_SERVER_TOO_OLD",
    tooOld ?? `NATS at ${options.servers.join(", ")} runs without JetStream: start it with \`jetstream {}\`.`,
  );
}

/** The reason why a server of this version cannot be used, or undefined. */
export function tooOldSentence(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined;
  return `nats-server ${version} is too old: leases and timers need ${OLDEST.join(".")} or newer; update the server.`;
}
