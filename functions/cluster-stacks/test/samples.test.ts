import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { reveilleHere } from "../../../infra/testing/in-process.ts";
import { startStack } from "../../../infra/testing/stack.ts";
import { samplesOf, simulateSystem, withSampleConfiguration } from "../../../infra/testing/system-parts.ts";
import { filesOf } from "../../../shared/archive/index.ts";
import { withAdapters } from "../../../shared/host/configuration.ts";
import { fieldOf, listOf } from "../../../shared/json/fields.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { adapters } from "../adapters.ts";
import { clusterStacks } from "../index.ts";
import { ClusterStack } from "../kinds/index.ts";
import { CLUSTERS, resourceOfReference } from "../simulate/resources.ts";

const samples = join(import.meta.dirname, "../samples");
const RELEASES = ["docker-ferrol-1-27-v1", "docker-ferrol-1-27-v2", "docker-ferrol-1-28-v1"] as const;
const NAMESPACE = "stacks";

/** The contents of a release by path, of archives those of their files. */
async function contents(folder: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const name of await readdir(folder)) {
    const content = await readFile(join(folder, name));
    if (!name.endsWith(".tgz")) found[name] = content.toString();
    else
      for (const [path, inner] of await filesOf(content))
        found[`${name}/${path}`] = Buffer.from(inner).toString();
  }
  return found;
}

test("the releases of the samples are what their sources pack to, and have no fault", async (t) => {
  const made = await mkdtemp(join(tmpdir(), "stack-samples-"));
  t.onTestFinished(() => rm(made, { recursive: true, force: true }));
  for (const tag of RELEASES) {
    const source = join(samples, "sources", tag);
    const { code, stderr } = await reveilleHere(["cluster-stack", "create", source, "--destination", made]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(await contents(join(made, tag)), await contents(join(samples, "releases", tag)));
  }
});

test("the samples bring stacks that can be used, and Clusters that come up and are upgraded", async (t) => {
  const stack = await startStack({
    api: "local",
    systems: [withAdapters(clusterStacks, adapters)],
    configuration: withSampleConfiguration(["cluster-stacks"], {}),
  });
  t.onTestFinished(() => stack.stop());
  const client = stack.api.newClient();
  const played = await simulateSystem("cluster-stacks", { client });
  t.onTestFinished(() => played?.stop());
  await stack.apply(samplesOf("cluster-stacks"));

  const usable = async (name: string): Promise<string | undefined> => {
    const raw = await client.get(resourceOf(ClusterStack), { name, namespace: NAMESPACE });
    return raw && parseObject(ClusterStack, raw).status?.usableVersions;
  };
  await eventually(
    "all versions to be usable",
    async () => (await usable("ferrol-1-27")) === "v1, v2" && (await usable("ferrol-1-28")) === "v1",
  );

  const orchard = { name: "orchard", namespace: NAMESPACE } as const;
  const secret: KubeObject = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "orchard-kubeconfig", namespace: NAMESPACE },
    data: { value: Buffer.from("nobody looks into it").toString("base64") },
  };
  await client.create(resourceOf(Secret), secret, { fieldManager: "test" });
  const isAvailable = async (): Promise<boolean> => {
    const found = await client.get(CLUSTERS, orchard);
    return listOf(fieldOf(found?.status, "conditions")).some(
      (one) => fieldOf(one, "type") === "Available" && fieldOf(one, "status") === "True",
    );
  };
  await eventually("the Cluster to be there", isAvailable);
  const topology = { class: "docker-ferrol-1-28-v1", version: "v1.28.15" };
  await client.patch(CLUSTERS, orchard, "merge", { spec: { topology } }, { fieldManager: "test" });
  const controlPlanes = resourceOfReference("controlplane.cluster.x-k8s.io/v1beta1", "KubeadmControlPlane");
  await eventually(
    "its control plane to be upgraded",
    async () => fieldOf((await client.get(controlPlanes, orchard))?.status, "version") === "v1.28.15",
  );
});
