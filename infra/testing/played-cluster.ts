import assert from "node:assert/strict";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import { createAuthority } from "../../shared/tls/index.ts";

const authority = createAuthority({ commonName: "one" });
const { certificate: cert, key } = authority.issue({ commonName: "one", serverNames: ["127.0.0.1"] });

/** A server that a test plays, and the kubeconfig that leads there. */
export interface PlayedCluster {
  readonly kubeconfig: string;
  stop(): void;
}

/** Starts one on loopback, over TLS. */
export async function startPlayedCluster(answer: RequestListener): Promise<PlayedCluster> {
  const server = createServer({ cert, key }, answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const cluster = {
    server: `https://127.0.0.1:${address.port}`,
    "certificate-authority-data": Buffer.from(authority.certificate).toString("base64"),
  };
  return {
    kubeconfig: JSON.stringify({
      "current-context": "one",
      contexts: [{ name: "one", context: { cluster: "one", user: "one" } }],
      clusters: [{ name: "one", cluster }],
      users: [{ name: "one", user: { token: "one" } }],
    }),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
