import assert from "node:assert/strict";
import { test } from "vitest";
import { requireControlPlane } from "../../infra/testing/control-plane.ts";
import { skipWithoutHelm } from "../../infra/testing/helm.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { loadConnection } from "../../shared/kube/kubeconfig/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { applyAll } from "./accounts.ts";
import { chartFolder, helm, IMAGE, render } from "./chart.ts";

const CRDS = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
} as const;

test("installs and upgrades where something is already there, or says in one sentence what to do", {
  skip: skipWithoutHelm() !== false,
  timeout: 180_000,
}, async (t) => {
  const plane = await requireControlPlane(t);
  if (plane === undefined) return;
  const client = createKubeClient({ connection: loadConnection({ file: plane.kubeconfigFile }) });
  t.onTestFinished(() => client.close());
  const upgrade = (namespace: string, ...words: readonly string[]): string =>
    helm(
      ...["upgrade", "--install", "reveille", chartFolder, "--namespace", namespace, "--create-namespace"],
      ...["--kubeconfig", plane.kubeconfigFile, "--set", `image.repository=${IMAGE}`, ...words],
    );
  const refused = (...words: Parameters<typeof upgrade>): string => {
    try {
      upgrade(...words);
    } catch (error) {
      return String((error as { readonly stderr?: string }).stderr);
    }
    return assert.fail("helm took it");
  };

  // As `reveille crds | kubectl apply` leaves them, and as the operator before us did.
  const crds = render().filter(({ kind }) => kind === "CustomResourceDefinition");
  await applyAll(client, crds);
  assert.match(
    refused("one"),
    /crds: \S+ is there already and belongs to no release of helm.*crds\.install=false/s,
  );
  upgrade("one", "--set", "crds.install=false");
  upgrade("one", "--set", "crds.takeOwnership=true", "--take-ownership");
  const [first = assert.fail()] = crds;
  const live = (await client.get(CRDS, { name: first.metadata.name })) as KubeObject;
  assert.equal(live.metadata.annotations?.["meta.helm.sh/release-namespace"], "one");
  // Its own from now on.
  upgrade("one", "--set", "workers.parallel=8");
  assert.match(refused("two"), /belongs to the release one\/reveille/);
  upgrade("two", "--set", "crds.install=false");

  const persistent = ["--set", "watcher.persistence.enabled=true"] as const;
  assert.match(
    refused("one", ...persistent),
    /watcher\.persistence: .*kubectl delete statefulset reveille-watcher -n one --cascade=orphan/,
  );
  assert.match(
    refused("one", "--set", "nats.storage=8Gi"),
    /nats\.storage: .*delete statefulset reveille-nats -n one/,
  );
  await client.delete(
    { group: "apps", version: "v1", kind: "StatefulSet", plural: "statefulsets", scope: "Namespaced" },
    { namespace: "one", name: "reveille-watcher" },
    { uid: undefined },
  );
  upgrade("one", ...persistent);
  upgrade("one", ...persistent, "--set", "workers.parallel=4");
});
