import type { Connection } from "../../shared/kube/http/connection.ts";

/** A kubeconfig, as JSON, that leads to where a connection does, as the same user; by bearer token alone. `namespace`: its context's. */
export async function kubeconfigOf(
  { server, tls, credentials }: Connection,
  namespace?: string,
): Promise<string> {
  const { authorization = "" } = await credentials.current();
  const token = authorization.replace(/^Bearer /, "");
  const ca = Buffer.from(tls.ca ?? "").toString("base64");
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "one",
    contexts: [{ name: "one", context: { cluster: "one", user: "one", namespace } }],
    clusters: [{ name: "one", cluster: { server, "certificate-authority-data": ca } }],
    users: [{ name: "one", user: { token } }],
  });
}
