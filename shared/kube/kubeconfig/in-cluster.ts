import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../clock/clock.ts";
import type { ContextConnection } from "./context.ts";
import { readNamed } from "./files.ts";
import { tokenFileCredentials } from "./token-file.ts";

const mounted = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The connection of a Pod's own service account; undefined outside of Pods. */
export function inClusterConnection(
  environment: NodeJS.ProcessEnv,
  clock: Clock,
  folder: string = mounted,
): ContextConnection | undefined {
  const host = environment.KUBERNETES_SERVICE_HOST;
  const port = environment.KUBERNETES_SERVICE_PORT;
  const tokenFile = join(folder, "token");
  if (!host || !port || !existsSync(tokenFile)) return undefined;
  const namespaceFile = join(folder, "namespace");
  return {
    context: undefined,
    cluster: "in-cluster",
    files: [],
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    namespace: existsSync(namespaceFile) ? readFileSync(namespaceFile, "utf8").trim() : "default",
    tls: { ca: readNamed(join(folder, "ca.crt"), "certificate authority") },
    credentials: tokenFileCredentials(tokenFile, clock),
    headers: {},
  };
}
