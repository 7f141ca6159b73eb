// The story that functions/cluster-stacks/docs.md tells: its commands one after the other, with what they print.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { openCluster } from "../../infra/cli/cluster.ts";
import { startReveille, temporaryFolder } from "../../infra/testing/command-line.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { reveilleHere } from "../../infra/testing/in-process.ts";
import { fieldOf } from "../../shared/json/fields.ts";
import type { Resource } from "../../shared/kube/client.ts";
import { blocksOf } from "./pages.ts";

const PAGE = "functions/cluster-stacks/docs.md";
const blocks = blocksOf(PAGE)
  .filter(({ language }) => language === "sh")
  .map(({ text }) => text.trim().split("\n"));
const resource = (group: string, kind: string): Resource => ({
  group,
  version: "v1beta1",
  kind,
  plural: `${kind.toLowerCase()}s`,
  scope: "Namespaced",
});
const ORCHARD = { namespace: "stacks", name: "orchard" } as const;

/** The words of a command, without those of the shell around it. */
const wordsOf = (line: string): readonly string[] => line.replace(/^npx reveille /, "").split(" ");

describe("the page of cluster stacks", () => {
  test("brings up Clusters on a laptop, and upgrades one through a hook", async (t) => {
    const folder = temporaryFolder(t);
    const [start = [], story = []] = blocks;
    const dev = startReveille(t, [...wordsOf(start[0] ?? ""), "--data", folder]);
    await dev.says("It stays up");
    const { client } = openCluster({ kubeconfig: join(folder, "kubeconfig") });
    t.onTestFinished(() => client.close());
    const says: readonly RegExp[] = [
      /ferrol-1-27 +v2 +v1\.27\.16 +yes +Cluster stacks\/orchard, ClusterAddon stacks\/cluster-addon-orchard\n/,
      /^The addons of stacks\/orchard are ready\.\n$/,
      /docker-ferrol-1-27-v2 → docker-ferrol-1-28-v1\n.*\n {2}= Deployment kube-system\/network \(network\)\n {2}~ ConfigMap kube-system\/greeting/,
      /^$/,
      /^The addons of stacks\/orchard are ready\.\n$/,
      /ClusterStack ferrol-1-28 \[ready\]\n.*docker-ferrol-1-28-v1[\s\S]*Cluster orchard[\s\S]*stage greeter \[ready\]/,
    ];
    assert.equal(story.length, says.length);
    for (const [index, line] of story.entries()) {
      const [, patch] = /^kubectl patch cluster orchard .* -p '(.*)'$/.exec(line) ?? [];
      if (patch !== undefined) {
        const clusters = resource("cluster.x-k8s.io", "Cluster");
        await client.patch(clusters, ORCHARD, "merge", JSON.parse(patch), { fieldManager: "kubectl" });
        continue;
      }
      const { code, stdout, stderr } = await reveilleHere([...wordsOf(line), "--data", folder]);
      assert.equal(code, 0, `${line}: ${stderr}`);
      assert.match(stdout, says[index] ?? /never/, line);
    }
    const controlPlanes = resource("controlplane.cluster.x-k8s.io", "KubeadmControlPlane");
    await eventually(
      "the control plane to follow",
      async () => fieldOf((await client.get(controlPlanes, ORCHARD))?.status, "version") === "v1.28.15",
    );
    const there = openCluster({
      kubeconfig: join(folder, "other-clusters/workload_stacks_orchard/kubeconfig"),
    });
    t.onTestFinished(() => there.client.close());
    const maps: Resource = {
      group: "",
      version: "v1",
      kind: "ConfigMap",
      plural: "configmaps",
      scope: "Namespaced",
    };
    const greeting = await there.client.get(maps, { namespace: "kube-system", name: "greeting" });
    assert.deepEqual(greeting?.data, { greeting: "Good evening orchard", kubernetes: "v1.28.15" });
  });

  test("makes a release of a sample's source, judges and publishes it", async (t) => {
    const folder = temporaryFolder(t);
    t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const making = blocks.find(([first]) => first?.includes("cluster-stack create")) ?? [];
    const says: readonly RegExp[] = [
      /^Release created: .*docker-ferrol-1-28-v1\n$/,
      /^docker-ferrol-1-28-v1 is valid: Kubernetes v1\.28\.15, addons v1 in stages, sha256:/,
      /^Release published: .*public\/docker-ferrol-1-28-v1\n$/,
      /docker-ferrol-1-28-v1 +stable +v1\.28\.15/,
    ];
    assert.equal(making.length, says.length);
    for (const [index, line] of making.entries()) {
      const words = wordsOf(line).map((word) =>
        /^(releases|public)(\/|$)/.test(word) && word !== wordsOf(line)[1] ? join(folder, word) : word,
      );
      const { code, stdout, stderr } = await reveilleHere(words);
      assert.equal(code, 0, `${line}: ${stderr}`);
      assert.match(stdout, says[index] ?? /never/, line);
    }
  });
});
