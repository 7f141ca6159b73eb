import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import type * as z from "zod";
import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import {
  type Connection,
  type Credentials,
  fixedCredentials,
  noCredentials,
  type TlsSettings,
} from "../http/connection.ts";
import { KubeconfigError, type KubeconfigErrorCode } from "./errors.ts";
import { type ExecCluster, execCredentials } from "./exec.ts";
import { type Entry, faultOf, type MergedKubeconfig, pathBeside, readNamed } from "./files.ts";
import { oidcCredentials } from "./oidc.ts";
import { type ClusterEntry, clusterSchema, contextSchema, type UserEntry, userSchema } from "./schema.ts";
import { tokenFileCredentials } from "./token-file.ts";

/** A connection and the names by which the user knows it. */
export interface ContextConnection extends Connection {
  /** Undefined in a cluster's own Pod. */
  readonly context: string | undefined;
  /** The kubeconfig's name of the cluster, or `in-cluster`. */
  readonly cluster: string;
  /** The files that were read. */
  readonly files: readonly string[];
}

function entryOf<S extends z.ZodType>(
  map: ReadonlyMap<string, Entry>,
  name: string,
  what: string,
  code: KubeconfigErrorCode,
  schema: S,
): { readonly file: string; readonly value: z.output<S> } {
  const entry = map.get(name);
  if (entry === undefined) {
    const known = [...map.keys()].join(", ");
    throw new KubeconfigError(
      code,
      `The kubeconfig has no ${what} "${name}": ${known === "" ? "it has none at all" : `choose one of ${known}`}`,
    );
  }
  const parsed = schema.safeParse(entry.value);
  if (!parsed.success)
    throw new KubeconfigError(
      "KUBECONFIG_INVALID",
      `The ${what} "${name}" in ${entry.file} is not valid: ${faultOf(parsed.error)}`,
      { cause: parsed.error },
    );
  return { file: entry.file, value: parsed.data };
}

/** Inline base64 goes before a file, as with kubectl. */
function pemOf(
  file: string,
  inline: string | null | undefined,
  path: string | null | undefined,
  what: string,
): string | undefined {
  if (inline) return Buffer.from(inline, "base64").toString("utf8");
  return path ? readNamed(pathBeside(file, path), what) : undefined;
}

function checkCertificates(tls: TlsSettings, where: string, now: number): void {
  const { ca, certificate, key } = tls;
  const invalid = (what: string, error: unknown): KubeconfigError =>
    new KubeconfigError(
      "KUBECONFIG_CERTIFICATE_INVALID",
      `The ${what} of ${where} cannot be used (${messageOf(error)}): replace it`,
      { cause: error },
    );
  if (ca !== undefined) {
    try {
      new X509Certificate(ca);
      createSecureContext({ ca });
    } catch (error) {
      throw invalid("certificate authority", error);
    }
  }
  if ((certificate === undefined) !== (key === undefined))
    throw new KubeconfigError(
      "KUBECONFIG_INVALID",
      `${where} has a client ${certificate === undefined ? "key without its certificate" : "certificate without its key"}: add the other`,
    );
  if (certificate === undefined || key === undefined) return;
  let parsed: X509Certificate;
  try {
    parsed = new X509Certificate(certificate);
    if (!parsed.checkPrivateKey(createPrivateKey(key))) throw new TypeError("the key does not belong to it");
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    throw invalid("client certificate", error);
  }
  const expired = parsed.validToDate.getTime() <= now;
  if (expired || parsed.validFromDate.getTime() > now)
    throw new KubeconfigError(
      "KUBECONFIG_CERTIFICATE_EXPIRED",
      expired
        ? `The client certificate of ${where} expired on ${parsed.validToDate.toISOString()}: renew it`
        : `The client certificate of ${where} holds only from ${parsed.validFromDate.toISOString()}: correct this machine's clock`,
    );
}

function serverOf(cluster: ClusterEntry, where: string, tls: boolean): string {
  const text = cluster.server.includes("://")
    ? cluster.server
    : `${tls ? "https" : "http"}://${cluster.server}`;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new KubeconfigError(
      "KUBECONFIG_INVALID",
      `The server of ${where} is no http or https address: ${cluster.server}`,
    );
  return text.replace(/\/+$/, "");
}

function proxyOf(cluster: ClusterEntry, where: string): string | undefined {
  const url = cluster["proxy-url"] || undefined;
  if (url === undefined) return undefined;
  if (!URL.canParse(url))
    throw new KubeconfigError("KUBECONFIG_INVALID", `The proxy-url of ${where} is no address: ${url}`);
  if (!/^https?:$/.test(new URL(url).protocol))
    throw new KubeconfigError(
      "KUBECONFIG_UNSUPPORTED",
      `The proxy-url of ${where} is no http or https proxy (${url}): use one of these`,
    );
  return url;
}

function impersonation(user: UserEntry, where: string): Connection["headers"] {
  const headers: Record<string, string | readonly string[]> = {};
  const groups = user["as-groups"] ?? [];
  const extra = Object.entries(user["as-user-extra"] ?? {});
  if (user.as) headers["Impersonate-User"] = user.as;
  else if (groups.length > 0 || extra.length > 0 || user["as-uid"])
    throw new KubeconfigError(
      "KUBECONFIG_INVALID",
      `${where} impersonates groups or extras but no user: set \`as\``,
    );
  if (user["as-uid"]) headers["Impersonate-Uid"] = user["as-uid"];
  if (groups.length > 0) headers["Impersonate-Group"] = groups;
  for (const [name, values] of extra) headers[`Impersonate-Extra-${encodeURIComponent(name)}`] = values;
  return headers;
}

function credentialsOf(
  user: UserEntry,
  file: string,
  where: string,
  cluster: ExecCluster,
  clock: Clock,
): Credentials {
  // Only one can be sent: kubectl refuses to guess between a token and a password.
  if ((user.token || user.tokenFile) && user.username)
    throw new KubeconfigError("KUBECONFIG_INVALID", `${where} has a token and a username: keep one`);
  if (user.tokenFile) return tokenFileCredentials(pathBeside(file, user.tokenFile), clock);
  if (user.token) return fixedCredentials(`Bearer ${user.token}`);
  if (user.username)
    return fixedCredentials(
      `Basic ${Buffer.from(`${user.username}:${user.password ?? ""}`).toString("base64")}`,
    );
  if (user.exec) return execCredentials(user.exec, file, cluster, clock);
  const provider = user["auth-provider"];
  if (!provider) return noCredentials;
  if (provider.name === "oidc") return oidcCredentials(provider.config ?? {}, file, clock);
  throw new KubeconfigError(
    "KUBECONFIG_UNSUPPORTED",
    `${where} uses the auth-provider ${provider.name}, which Kubernetes has removed: use its exec plugin`,
  );
}

/** The connection that a context describes. `name` undefined: the current one. */
export function connectionOf(
  config: MergedKubeconfig,
  name: string | undefined,
  namespace: string | undefined,
  clock: Clock,
): ContextConnection {
  const chosen = name ?? config.currentContext;
  if (chosen === undefined)
    throw new KubeconfigError(
      "KUBECONFIG_NO_CONTEXT",
      `The kubeconfig (${config.files.join(", ")}) has no current-context: choose one with \`kubectl config use-context\` or --context`,
    );
  const { value: context } = entryOf(
    config.contexts,
    chosen,
    "context",
    "KUBECONFIG_UNKNOWN_CONTEXT",
    contextSchema,
  );
  const { value: cluster, file } = entryOf(
    config.clusters,
    context.cluster,
    "cluster",
    "KUBECONFIG_UNKNOWN_CLUSTER",
    clusterSchema,
  );
  const user = context.user
    ? entryOf(config.users, context.user, "user", "KUBECONFIG_UNKNOWN_USER", userSchema)
    : { file, value: {} as UserEntry };
  const whereCluster = `cluster "${context.cluster}" in ${file}`;
  const whereUser = `user "${context.user ?? ""}" in ${user.file}`;

  const ca = pemOf(
    file,
    cluster["certificate-authority-data"],
    cluster["certificate-authority"],
    "certificate authority",
  );
  const insecure = cluster["insecure-skip-tls-verify"] === true;
  if (insecure && ca !== undefined)
    throw new KubeconfigError(
      "KUBECONFIG_INVALID",
      `${whereCluster} has both a certificate authority and insecure-skip-tls-verify: remove one`,
    );
  const tls: TlsSettings = {
    ca,
    certificate: pemOf(
      user.file,
      user.value["client-certificate-data"],
      user.value["client-certificate"],
      "client certificate",
    ),
    key: pemOf(user.file, user.value["client-key-data"], user.value["client-key"], "client key"),
    serverName: cluster["tls-server-name"] || undefined,
    insecure,
  };
  checkCertificates(
    tls,
    ca !== undefined && tls.certificate === undefined ? whereCluster : whereUser,
    clock.now(),
  );
  const server = serverOf(
    cluster,
    whereCluster,
    insecure || ca !== undefined || tls.certificate !== undefined,
  );
  const proxyUrl = proxyOf(cluster, whereCluster);
  const execCluster: ExecCluster = {
    server,
    ...(tls.serverName === undefined ? {} : { "tls-server-name": tls.serverName }),
    ...(insecure ? { "insecure-skip-tls-verify": true } : {}),
    ...(ca === undefined ? {} : { "certificate-authority-data": Buffer.from(ca).toString("base64") }),
    ...(proxyUrl === undefined ? {} : { "proxy-url": proxyUrl }),
  };
  return {
    context: chosen,
    cluster: context.cluster,
    files: config.files,
    server,
    namespace: namespace ?? (context.namespace || "default"),
    tls,
    credentials: credentialsOf(user.value, user.file, whereUser, execCluster, clock),
    headers: impersonation(user.value, whereUser),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  };
}
