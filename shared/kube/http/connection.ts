/** A credential of one request. */
export interface Credential {
  /** The `Authorization` header, whole. */
  readonly authorization?: string | undefined;
  /** A client certificate that came with the credential (exec plugins), PEM. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** A source of credentials. It is asked before each request and each watch; it must be cheap when nothing has changed. */
export interface Credentials {
  current(): Credential | Promise<Credential>;
  /** The server answered 401. True where asking again may give another credential: the request is then sent once more. */
  refused(): boolean;
}

/** TLS as node's `tls` takes it, PEM throughout. */
export interface TlsSettings {
  /** Undefined: the system's roots. */
  readonly ca?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  /** The name that the server's certificate must carry, where it is not the host. */
  readonly serverName?: string | undefined;
  /** True: any server is believed. */
  readonly insecure?: boolean | undefined;
}

/** The address of one API server, and a user's credentials there. */
export interface Connection {
  /** For example `https://10.0.0.1:6443`, or with a path below which the API lies. */
  readonly server: string;
  /** The namespace that the context names. */
  readonly namespace: string;
  readonly tls: TlsSettings;
  readonly credentials: Credentials;
  /** Sent with every request: impersonation. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** An http or https proxy that is asked to CONNECT. */
  readonly proxyUrl?: string | undefined;
}

const nothing: Credential = {};

/** For servers that ask for nothing, or for the client certificate of the TLS settings only. */
export const noCredentials: Credentials = { current: () => nothing, refused: () => false };

/** A header that never changes: a static token or basic authentication. */
export function fixedCredentials(authorization: string): Credentials {
  const credential: Credential = { authorization };
  return { current: () => credential, refused: () => false };
}
