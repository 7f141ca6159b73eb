import { HttpError } from "./answer.ts";
import { isSame, type Secret, SecretError } from "./secret.ts";

/** A permission of a caller. */
export type Permission = "events" | "commands" | "invoke";
export const permissions: readonly Permission[] = ["events", "commands", "invoke"];

/** Somebody who may call, by a bearer token or by the common name of a client certificate. */
export interface KnownCaller {
  /** Goes into the record of who asked. */
  readonly name: string;
  readonly token?: Secret | undefined;
  /** The subject's common name of a certificate that the server has verified (mTLS). */
  readonly certificate?: string | undefined;
  /** Default: all. */
  readonly may?: readonly Permission[] | undefined;
}

/** The other end of the connection that a request came over. */
export interface Peer {
  /** The common name of its certificate, only where the server verified it. */
  readonly certificate: string | undefined;
  /** True where the server verified a certificate, whatever name stands in it. */
  readonly verified: boolean;
}

const peers = new WeakMap<Request, Peer>();

/**
 * Remembers the peer of a request, for the server that makes requests of connections: a `Request` itself knows nothing of them.
 */
export const rememberPeer = (request: Request, peer: Peer): void => void peers.set(request, peer);

/** The peer of a request; undefined where no server told it. */
export const peerOf = (request: Request): Peer | undefined => peers.get(request);

export const bearerOf = (request: Request): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];

/**
 * The caller of a request. Throws 401 for an unknown caller, 403 where it may not, and a `SecretError` where it may be one whose
 * token cannot be read now: another caller's token locks nobody out.
 */
export async function callerOf(
  request: Request,
  known: readonly KnownCaller[],
  permission: Permission,
): Promise<KnownCaller> {
  const token = bearerOf(request);
  const certificate = peers.get(request)?.certificate;
  let found: KnownCaller | undefined;
  let unreadable: SecretError | undefined;
  // All of them are compared, whichever it is.
  for (const caller of known) {
    let byToken = false;
    try {
      byToken = token !== undefined && caller.token !== undefined && isSame(token, await caller.token());
    } catch (thrown) {
      if (!(thrown instanceof SecretError)) throw thrown;
      unreadable ??= thrown;
    }
    const byCertificate = certificate !== undefined && caller.certificate === certificate;
    if (byToken || byCertificate) found ??= caller;
  }
  if (found === undefined && unreadable !== undefined) throw unreadable;
  if (found === undefined)
    throw new HttpError(
      "HTTP_UNAUTHORIZED",
      "Nobody is known by this token or certificate: send a bearer token that this server has in a file.",
      { headers: { "www-authenticate": "Bearer" } },
    );
  demand(found, permission);
  return found;
}

/** Throws 403 where the caller may not. */
export function demand({ name, may }: KnownCaller, permission: Permission): void {
  if (may !== undefined && !may.includes(permission))
    throw new HttpError("HTTP_FORBIDDEN", `${name} may ask for ${may.join(", ")}, not for ${permission}.`);
}
