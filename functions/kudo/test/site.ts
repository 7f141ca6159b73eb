import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ended } from "../../../infra/testing/command-line.ts";
import { reveilleHere } from "../../../infra/testing/in-process.ts";
import { admissionsOf, startStackCluster } from "../../../infra/testing/system/index.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { configuration } from "../configuration.ts";
import { kudo } from "../index.ts";

/** The kinds of upstream's packages that the configuration must admit beside its defaults. */
const MORE_KINDS = [
  "instances.kudo.dev",
  "customresourcedefinitions.apiextensions.k8s.io",
  "servicemonitors.monitoring.coreos.com",
];

/** A cluster with KUDO's functions, its admission, and a user at the command line. */
export interface Site {
  readonly client: KubeClient;
  /** Types `kubectl kudo …`, for a namespace unless the command asks no cluster. One at a time. */
  kudo(namespace: string, ...words: readonly string[]): Promise<Ended>;
  /** A folder for what commands write. */
  readonly folder: string;
  /** Resolves when the functions have nothing to do. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** @param workloads false: no pod ever starts, so that what waits for one waits for ever */
export async function startSite(kind: "local" | "real", workloads: boolean): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), "kudo-site-"));
  const api = await startTestApi({ api: kind, controllers: workloads });
  const cluster = await startStackCluster({
    system: kudo,
    api,
    configuration: { kudo: { kinds: [...configuration.parse({}).kinds, ...MORE_KINDS] } },
  });
  const admissions = await admissionsOf(cluster.stack, kudo);
  const kubeconfig = join(folder, "kubeconfig");
  const { server, tls, credentials } = api.connection;
  const { authorization = "" } = await credentials.current();
  const name = "site";
  await writeFile(
    kubeconfig,
    JSON.stringify({
      "current-context": name,
      contexts: [{ name, context: { cluster: name, user: name } }],
      clusters: [
        {
          name,
          cluster: { server, "certificate-authority-data": Buffer.from(tls.ca ?? "").toString("base64") },
        },
      ],
      users: [{ name, user: { token: authorization.replace(/^Bearer /, "") } }],
    }),
  );
  return {
    client: cluster.stack.client,
    folder,
    kudo: (namespace, ...words) =>
      reveilleHere([
        "kudo",
        ...words,
        ...(words[0] === "package" ? [] : ["--kubeconfig", kubeconfig, "--namespace", namespace]),
      ]),
    settled: () => cluster.settled(),
    stop: async () => {
      await admissions.stop();
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
