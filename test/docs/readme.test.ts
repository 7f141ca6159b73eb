import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { openCluster } from "../../infra/cli/cluster.ts";
import { reveille, startReveille, temporaryFolder } from "../../infra/testing/command-line.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap } from "../../shared/kube/kinds/index.ts";
import { blocksOf, root } from "./pages.ts";

const greetings = {
  group: "example.com",
  version: "v1",
  kind: "Greeting",
  plural: "greetings",
  scope: "Namespaced",
} as const;

test("the function that README shows greets, and its CRD follows from it", async (t) => {
  const folder = temporaryFolder(t);
  const [block] = blocksOf("README.md").filter(({ language }) => language === "ts");
  assert.ok(block !== undefined);
  const module = join(folder, "greet.ts");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(module, block.text);
  const mine = ["--systems", "none", "--functions", module];
  assert.match((await reveille(t, ["crds", ...mine])).stdout, /name: greetings\.example\.com/);

  const data = join(folder, "data");
  const dev = startReveille(t, ["dev", "--data", data, ...mine]);
  await dev.says("Ready after");
  const { client } = openCluster({ kubeconfig: join(data, "kubeconfig") });
  t.onTestFinished(() => client.close());
  const place = { namespace: "default", name: "world" };
  await client.create(
    greetings,
    { apiVersion: "example.com/v1", kind: "Greeting", metadata: place, spec: { name: "World" } },
    { fieldManager: "test" },
  );
  await eventually("it is greeted", async () => {
    const greeting = await client.get(greetings, place);
    return (greeting?.status as { readonly said?: string } | undefined)?.said === "Hello, World";
  });
  const child = await client.get(resourceOf(ConfigMap), place);
  assert.deepEqual((child as { readonly data?: unknown } | undefined)?.data, { said: "Hello, World" });
});
