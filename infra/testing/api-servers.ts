import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import type { Connection } from "../../shared/kube/http/connection.ts";
import { faces } from "../local/faces/index.ts";
import { startLocalApi } from "../local/index.ts";
import { connectionTo, skipWithoutControlPlane, startControlPlane } from "./control-plane.ts";

/** An API server that a suite runs on. */
export interface ApiServer {
  readonly connection: Connection;
  readonly kubeconfigFile: string;
  stop(): Promise<void>;
}

/** A way to get one: `describe(\`… on the ${name} API\`, { skip }, …)`. */
export interface ApiServerKind {
  readonly name: "local" | "real";
  readonly skip: string | false;
  start(options?: { readonly controllerManager?: boolean }): Promise<ApiServer>;
}

export const localApiServer: ApiServerKind = {
  name: "local",
  skip: false,
  async start() {
    const api = await startLocalApi({ faces });
    const folder = mkdtempSync(join(tmpdir(), "local-api-"));
    const kubeconfigFile = join(folder, "kubeconfig");
    writeFileSync(kubeconfigFile, stringify(api.kubeconfig), { mode: 0o600 });
    const { server: url, ca, token } = api.clientOptions;
    const stop = async (): Promise<void> => {
      rmSync(folder, { recursive: true });
      await api.close();
    };
    return { connection: connectionTo({ url, ca, token }), kubeconfigFile, stop };
  },
};

/** etcd and kube-apiserver, and kube-controller-manager where it is asked for. */
export const realApiServer: ApiServerKind = {
  name: "real",
  skip: skipWithoutControlPlane(),
  async start(options = {}) {
    const plane = await startControlPlane(options);
    return {
      connection: connectionTo(plane),
      kubeconfigFile: plane.kubeconfigFile,
      stop: () => plane.stop(),
    };
  },
};

/** For suites that must say the same on both. */
export const apiServers: readonly ApiServerKind[] = [localApiServer, realApiServer];
