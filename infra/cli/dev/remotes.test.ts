import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "vitest";
import { systemClock } from "../../../shared/clock/clock.ts";
import { defineClusters, defineSystem, each, unwatched } from "../../../shared/function/index.ts";
import { OtherClusters } from "../../../shared/kube/client/index.ts";
import { ConfigMap } from "../../../shared/kube/kinds/config-map.ts";
import { silent } from "../../../shared/log/log.ts";
import { startTestApi } from "../../testing/test-api.ts";
import { Toy } from "../../testing/toy-system.ts";
import { prepareDirectory, stateDirectory } from "../state-directory.ts";
import { type Remote, startRemotes } from "./remotes.ts";

const shops = defineClusters("shop", {
  secret: { namespace: "shops", label: "toys.example.org/shop", key: "config" },
});
const plants = defineClusters("plant", { secret: { suffix: "-kubeconfig", key: "value" } });
class ShopMap extends shops.kind(ConfigMap) {}
class PlantMap extends plants.kind(ConfigMap) {}
const system = defineSystem({
  name: "toys",
  functions: [
    each(Toy).function({
      name: "deliver",
      writes: [unwatched(ShopMap, "a test"), unwatched(PlantMap, "a test")],
      reconcile: () => ({}),
    }),
  ],
});

it("the clusters of samples are reached by the Secrets that functions look for, each another one", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "remotes-"));
  const directory = stateDirectory(folder);
  prepareDirectory(directory);
  const home = await startTestApi({ api: "local", controllers: false });
  const remotes: Remote[] = [];
  const others = new OtherClusters({ home: home.client });
  t.onTestFinished(async () => {
    others.close();
    for (const { api } of remotes) await api.stop();
    await home.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const parts = { directory, clock: systemClock, log: silent };
  const clusters = [
    { clusters: "shop", name: "north" },
    { clusters: "plant", name: "default/one" },
  ];
  await startRemotes([{ system, clusters }], { kind: "local", client: home.client }, parts, (remote) =>
    remotes.push(remote),
  );
  assert.deepEqual(
    remotes.map(({ reference }) => reference),
    ["@shop:north", "@plant:default:one"],
  );
  const uids = new Set<string | undefined>();
  const namespaces = {
    group: "",
    version: "v1",
    kind: "Namespace",
    plural: "namespaces",
    scope: "Cluster",
  } as const;
  for (const client of [
    home.client,
    others.at(shops, "north").client,
    others.at(plants, "default/one").client,
  ])
    uids.add((await client.get(namespaces, { name: "kube-system" }))?.metadata.uid);
  assert.equal(uids.size, 3);
  assert.equal(uids.has(undefined), false);
  await assert.rejects(
    startRemotes(
      [{ system, clusters: [{ clusters: "boat", name: "x" }] }],
      { kind: "local", client: home.client },
      parts,
      () => undefined,
    ),
    { code: "CLI_SAMPLES_INVALID" },
  );
});
