import type { AgentOptions, Agent as HttpAgent } from "node:http";
import * as https from "node:https";
import { isIP } from "node:net";
import { type ConnectionOptions, createSecureContext } from "node:tls";
import { Agent } from "../../node-http.ts";
import type { Connection, Credential } from "./connection.ts";

/** The sockets of one connection: a bounded, kept pool for requests, and one socket each for watches. */
export interface Agents {
  readonly requests: HttpAgent;
  readonly watches: HttpAgent;
}

/** The server closes idle connections after 90 s: ours end before, so that no request meets a dying socket. */
const IDLE_MILLISECONDS = 75_000;

/** All requests go to one server with one identity, so the key over all TLS options, built anew for each request, is spared. */
class OneServerAgent extends https.Agent {
  override getName(): string {
    return "server";
  }
}

const loopback = (host: string): boolean => host === "localhost" || host === "[::1]" || /^127\./.test(host);

/** `proxy-url` first, then the environment as Go reads it: never for loopback. */
function proxyOf(connection: Connection, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv | undefined {
  const url = connection.proxyUrl;
  if (url !== undefined) return { HTTP_PROXY: url, HTTPS_PROXY: url };
  return loopback(new URL(connection.server).hostname) ? undefined : environment;
}

/** True: requests may have to go through a proxy. */
export const mayMeetProxy = (
  connection: Connection,
  environment: NodeJS.ProcessEnv = process.env,
): boolean => {
  const proxy = proxyOf(connection, environment);
  return [proxy?.HTTP_PROXY, proxy?.HTTPS_PROXY, proxy?.http_proxy, proxy?.https_proxy].some(Boolean);
};

/**
 * The TLS options for a credential; a client certificate that came with it goes before the connection's own. Undefined: no
 * TLS at all. Throws what `tls` throws on bad PEM.
 */
export function secureOptions(
  connection: Connection,
  credential: Credential,
): Pick<ConnectionOptions, "secureContext" | "rejectUnauthorized" | "servername"> | undefined {
  if (connection.server.startsWith("http:")) return undefined;
  const { ca, certificate, key, serverName, insecure } = connection.tls;
  const cert = credential.certificate ?? certificate;
  const privateKey = credential.key ?? key;
  const host = new URL(connection.server).hostname;
  return {
    // Parsed once, not for every new socket.
    secureContext: createSecureContext({
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(privateKey === undefined ? {} : { key: privateKey }),
    }),
    rejectUnauthorized: !insecure,
    // An IP address is no server name (RFC 6066): Node refuses to send it.
    ...(serverName !== undefined
      ? { servername: serverName }
      : isIP(host.replace(/^\[|\]$/g, ""))
        ? {}
        : { servername: host }),
  };
}

/** The agents for a credential, with TLS as `secure` says. A connection that carries no request for `idleMilliseconds` is closed. */
export function createAgents(
  connection: Connection,
  secure: ReturnType<typeof secureOptions>,
  maxSockets: number,
  idleMilliseconds: number = IDLE_MILLISECONDS,
  environment: NodeJS.ProcessEnv = process.env,
): Agents {
  const proxyEnv = proxyOf(connection, environment);
  const shared: AgentOptions = {
    keepAlive: true,
    ...(proxyEnv === undefined ? {} : { proxyEnv }),
  };
  const pooled: AgentOptions = { ...shared, maxSockets, scheduling: "lifo", timeout: idleMilliseconds };
  if (secure === undefined) return { requests: new Agent(pooled), watches: new Agent(shared) };
  return {
    requests: new OneServerAgent({ ...pooled, ...secure }),
    watches: new OneServerAgent({ ...shared, ...secure }),
  };
}
