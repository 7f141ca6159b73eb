import { X509Certificate } from "node:crypto";
import { parseDocument } from "yaml";
import type { Clock } from "../../clock/clock.ts";
import type { Connection } from "../http/connection.ts";
import { connectionOf } from "./context.ts";
import { KubeconfigError, type KubeconfigErrorCode } from "./errors.ts";
import type { Entry, MergedKubeconfig } from "./files.ts";
import { faultOf } from "./files.ts";
import { clusterSchema, contextSchema, kubeconfigSchema, userSchema } from "./schema.ts";
import { tokenEnd } from "./token-end.ts";

/** A kubeconfig for one cluster takes some kilobytes. */
const MOST_BYTES = 256 * 1024;

/** Fields by which whoever writes the Secret would run programs or read files of the host that uses it. */
const REFUSED = {
  cluster: ["certificate-authority"],
  user: ["exec", "auth-provider", "tokenFile", "client-certificate", "client-key"],
} as const;

/** The characters that no header of a request can carry. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/;

/** Says instead what may stand there. */
const INSTEAD: Readonly<Record<string, string>> = {
  "certificate-authority": "certificate-authority-data",
  "client-certificate": "client-certificate-data",
  "client-key": "client-key-data",
};

export interface FromSecretOptions {
  /** The Secret and its key, for people: `Secret kcp-system/rt-1, key config`. */
  readonly where: string;
  readonly clock: Clock;
  /** True where a `proxy-url` is followed. Default: it is refused, since it leads the host to anywhere. */
  readonly allowProxy?: boolean | undefined;
}

/** A connection, and when the credentials that it has end. */
export interface ConnectionFromSecret extends Connection {
  /** Milliseconds since the epoch; undefined where they do not say. */
  readonly expires: number | undefined;
}

/**
 * The connection that a kubeconfig in a Secret describes, by its text alone: it runs no program, reads no file and asks nobody. Throws a
 * `KubeconfigError` whose message names the Secret and the field, and holds nothing of what stands there.
 */
export function connectionFromSecret(text: string, options: FromSecretOptions): ConnectionFromSecret {
  const { where, clock, allowProxy = false } = options;
  const refuse = (sentence: string, code: KubeconfigErrorCode = "KUBECONFIG_INVALID"): never => {
    throw new KubeconfigError(code, `${where}: ${sentence}`);
  };
  if (text.trim() === "") return refuse("it is empty");
  if (Buffer.byteLength(text) > MOST_BYTES)
    return refuse(`it is larger than ${MOST_BYTES / 1024} KiB, which no kubeconfig for one cluster is`);
  const config = kubeconfigSchema.safeParse(plain(text, refuse));
  if (!config.success) return refuse(`it is no kubeconfig: ${faultOf(config.error)}`);

  const { contexts, clusters, users } = config.data;
  const chosen = config.data["current-context"] || onlyNameOf(contexts);
  if (chosen === undefined)
    return refuse("it has no current-context, and not one context alone", "KUBECONFIG_NO_CONTEXT");
  const context = contexts?.find(({ name }) => name === chosen)?.context;
  const names = contextSchema.safeParse(context);
  if (!names.success)
    return refuse("its current context is missing or not valid", "KUBECONFIG_UNKNOWN_CONTEXT");
  const named = clusters?.find(({ name }) => name === names.data.cluster);
  if (named === undefined)
    return refuse("its current context names a cluster that it does not have", "KUBECONFIG_UNKNOWN_CLUSTER");
  const { cluster } = named;
  // Without it requests would go out as nobody's, and a server that lets anybody ask whether it is there would seem to be reachable.
  const account = users?.find(({ name }) => name === names.data.user);
  if (names.data.user && account === undefined)
    return refuse("its current context names a user that it does not have", "KUBECONFIG_UNKNOWN_USER");
  const user = account?.user;
  for (const [part, value] of [
    ["cluster", cluster],
    ["user", user],
  ] as const)
    for (const field of REFUSED[part])
      if (isSet(value, field))
        return refuse(
          `its ${part} has the field ${field}, which is not followed from a Secret: ${
            INSTEAD[field] === undefined
              ? "put a token or a client certificate there"
              : `use ${INSTEAD[field]}`
          }`,
          "KUBECONFIG_UNSUPPORTED",
        );
  if (!allowProxy && isSet(cluster, "proxy-url"))
    return refuse("its cluster has the field proxy-url, which is not allowed", "KUBECONFIG_UNSUPPORTED");
  const there = clusterSchema.safeParse(cluster);
  if (!there.success) return refuse(`its cluster is not valid: ${faultOf(there.error)}`);
  if (user !== undefined && !userSchema.safeParse(user).success) return refuse("its user is not valid");
  refuseServer(there.data.server, refuse);

  const entry = (name: string, value: unknown): ReadonlyMap<string, Entry> =>
    value === undefined ? new Map() : new Map([[name, { file: where, value }]]);
  const merged: MergedKubeconfig = {
    files: [where],
    currentContext: "context",
    contexts: entry("context", { cluster: "cluster", user: "user", namespace: names.data.namespace }),
    clusters: entry("cluster", cluster),
    users: entry("user", user ?? {}),
  };
  const connection = connectionOf(merged, undefined, undefined, clock);
  const { server, namespace, tls, credentials, headers, proxyUrl } = connection;
  const token = userSchema.parse(user ?? {}).token ?? undefined;
  if (UNSENDABLE.test(token ?? ""))
    return refuse(
      "its user has a token with a line break or another character that no request can carry: write it in one line, without a break at its end",
    );
  if (Object.values(headers).some((values) => [values].flat().some((value) => UNSENDABLE.test(value))))
    return refuse(
      "its user impersonates somebody (as, as-groups, as-uid, as-user-extra) by a name with a character that no request can carry",
    );
  return {
    server,
    namespace,
    tls,
    credentials,
    headers,
    ...(proxyUrl !== undefined && { proxyUrl }),
    expires: endOf(tls.certificate, token),
  };
}

type Refuse = (sentence: string, code?: KubeconfigErrorCode) => never;

/** The text as plain data. What a parser says of a fault may hold a part of the text, so only its place is told. */
function plain(text: string, refuse: Refuse): unknown {
  try {
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: true });
    const [fault] = document.errors;
    if (fault !== undefined) {
      const line = fault.linePos?.[0].line;
      return refuse(`it is no YAML${line === undefined ? "" : ` (line ${line})`}`);
    }
    // No kubeconfig repeats itself by aliases, which a few lines make very large.
    return document.toJS({ maxAliasCount: 0 }) ?? {};
  } catch (thrown) {
    if (thrown instanceof KubeconfigError) throw thrown;
    return refuse("it is no YAML that can be read: it has aliases, or is nested too deep");
  }
}

function refuseServer(server: string, refuse: Refuse): void {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== "https:")
    refuse("its server is no https address, over which alone credentials are sent");
  if (url?.username !== "" || url.password !== "") refuse("its server holds a user or a password");
}

const onlyNameOf = (contexts: readonly { readonly name: string }[] | null | undefined): string | undefined =>
  contexts?.length === 1 ? contexts[0]?.name : undefined;

function isSet(value: unknown, field: string): boolean {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, field)) return false;
  const found: unknown = Reflect.get(value, field);
  return found !== undefined && found !== null && found !== "";
}

/** The end of the certificate or the token, whichever comes first. */
function endOf(certificate: string | undefined, token: string | undefined): number | undefined {
  const ends: number[] = [];
  if (certificate !== undefined) ends.push(new X509Certificate(certificate).validToDate.getTime());
  const end = token === undefined ? undefined : endOfToken(token);
  if (end !== undefined) ends.push(end);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** A token of another sort does not say when it ends. */
function endOfToken(token: string): number | undefined {
  try {
    return tokenEnd(token);
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}
