import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { requireControlPlane, skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { helmBinary, skipWithoutHelm } from "../../infra/testing/helm.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap, Deployment } from "../../shared/kube/kinds/index.ts";
import { loadConnection } from "../../shared/kube/kubeconfig/index.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/run-on-kubernetes.md"), "utf8");
/** What a shell is told, without the building of the image. */
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
  .map(([, block = ""]) => block)
  .filter((block) => !/^docker /m.test(block));

const skip = skipWithoutHelm() || skipWithoutControlPlane();
test("the commands of docs/run-on-kubernetes.md work, in their order", {
  skip: skip !== false,
  timeout: 180_000,
}, async (t) => {
  const plane = await requireControlPlane(t);
  if (plane === undefined) return;
  const client = createKubeClient({ connection: loadConnection({ file: plane.kubeconfigFile }) });
  t.onTestFinished(() => client.close());
  const folder = mkdtempSync(join(tmpdir(), "reveille-page-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(helmBinary(), join(folder, "helm"));
  const run = (block: string): string =>
    execFileSync("bash", ["-euo", "pipefail", "-c", block], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        HOME: folder,
        KUBECONFIG: plane.kubeconfigFile,
        PATH: [folder, process.env.KUBEBUILDER_ASSETS, process.env.PATH].join(":"),
      },
    });
  const place = { namespace: "reveille", name: "reveille-sonataflow-workflows" };
  assert.ok(blocks.length >= 4, "the page has commands");
  const last = blocks.at(-1) ?? "";
  for (const block of blocks.slice(0, -1)) {
    run(block);
    // What is established is in the lists that kubectl asks for a moment later: before a reader's next command, not before a test's.
    if (block.startsWith("helm "))
      await eventually("kubectl to know the new kinds", () =>
        /^sonataflows\./m.test(
          run("kubectl api-resources --cached=false --api-group=sonataflow.org -o name"),
        ),
      );
  }
  const worker = await client.get(resourceOf(Deployment), place);
  assert.match(JSON.stringify(worker), /REVEILLE_BUS_NATS_PASSWORD_FILE/, "the password is in force");
  assert.match(JSON.stringify(worker), /registry\.example\.org\/reveille:0\.1\.0/);

  assert.match(last, /^helm uninstall/);
  run(last);
  assert.equal(await client.get(resourceOf(Deployment), place), undefined);
  const settings = { namespace: "reveille", name: "reveille-settings" };
  assert.equal(await client.get(resourceOf(ConfigMap), settings), undefined);
  const kept = await client.discover("sonataflow.org", "v1alpha08");
  assert.ok(
    kept.some(({ kind }) => kind === "SonataFlowPlatform"),
    "the CRDs stay",
  );
});
