import assert from "node:assert/strict";
import { eventually } from "../../../infra/testing/eventually.ts";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import {
  alphaStore,
  enabled,
  gone,
  imageThere,
  installed,
  KYMA_SYSTEM,
  MAPS,
  ready,
  STORES,
  SYSTEM,
  said,
  standing,
  store,
  uninstalled,
  unwanted,
  wanted,
} from "./alpha-store.ts";
import type { Stage } from "./stage.ts";

const USER = { fieldManager: "user", force: true } as const;
const manifestOf = (s: Stage) => s.manifest("alpha-store");
/** Puts a finalizer on an object, or takes it off. */
const held = (remote: RemoteCluster, name: string, finalizers: readonly string[]): Promise<unknown> =>
  remote.client.patch(
    MAPS,
    { name, namespace: SYSTEM },
    "merge",
    { metadata: { finalizers } },
    { fieldManager: USER.fieldManager },
  );

/** Modules that are taken away: 14–18. */
export const deletion: readonly Scenario<Stage>[] = [
  {
    number: 14,
    name: "a module that is disabled while it is being installed goes in two waves, whole",
    async run(s) {
      const remote = await enabled(s, { version: alphaStore("1.0.0", { outcome: "hang" }) });
      await said(s, "Processing", /Deployment/);
      await held(remote, "one", ["acme.test/held"]);
      await unwanted(s);
      await said(s, "Deleting", /ConfigMap alpha-system\/one, which acme\.test\/held must let go/);
      assert.deepEqual(
        (await standing(remote)).filter((one) => /Deployment|ConfigMap|AlphaStore/.test(one)),
        ["ConfigMap one", "Deployment alpha-store-operator"],
        "the operator goes last",
      );
      await held(remote, "one", []);
      await uninstalled(s);
      assert.deepEqual(await standing(remote), []);
      assert.deepEqual(await s.installed(), []);
    },
  },
  {
    number: 15,
    name: "objects of users hold a module back, by name, until the last of them is gone",
    async run(s) {
      const remote = await installed(s);
      await store(remote, "one");
      await store(remote, "two", { namespace: "default" });
      const before = await standing(remote);
      await unwanted(s);
      await said(s, "Deleting", /2 objects of the kind AlphaStore.*: default\/two, kyma-system\/one/);
      assert.deepEqual(await standing(remote), before);
      await gone(s, remote, STORES, "one", KYMA_SYSTEM);
      await said(s, "Deleting", /1 objects of the kind AlphaStore to be deleted: default\/two$/);
      assert.deepEqual(
        await standing(remote),
        before.filter((one) => one !== "AlphaStore one"),
        "nothing else is removed",
      );
      await gone(s, remote, STORES, "two", "default");
      await uninstalled(s);
      assert.deepEqual(await standing(remote), []);
    },
  },
  {
    number: 15,
    name: "an object of its own kind that a module brings itself does not hold it back",
    async run(s) {
      const { layer = "", ...version } = alphaStore("1.0.0");
      const own = `apiVersion: store.acme.test/v1\nkind: AlphaStore\nmetadata: {name: brought, namespace: ${SYSTEM}}\n`;
      const remote = await installed(s, { version: { ...version, layer: `${layer}---\n${own}` } });
      await store(remote, "mine");
      await unwanted(s);
      await said(s, "Deleting", /1 objects of the kind AlphaStore to be deleted: kyma-system\/mine$/);
      assert.ok((await standing(remote)).includes("AlphaStore brought"));
      await gone(s, remote, STORES, "mine", KYMA_SYSTEM);
      await uninstalled(s);
      assert.deepEqual(await standing(remote), []);
    },
  },
  {
    number: 16,
    name: "a module that is held back is still brought to a new version",
    async run(s) {
      const remote = await installed(s);
      await store(remote, "mine");
      await unwanted(s);
      await s.publish(alphaStore("1.1.0"));
      await s.release("alpha-store", { regular: "1.1.0" });
      await s.leap(6);
      assert.equal(await imageThere(remote), "registry.test/dev/alpha-store:1.1.0");
      const manifest = await manifestOf(s);
      assert.deepEqual([manifest?.status?.state, manifest?.spec?.version], ["Deleting", "1.1.0"]);
      assert.ok(await remote.client.get(STORES, { name: "default", namespace: KYMA_SYSTEM }));
    },
  },
  {
    number: 16,
    name: "objects of users outlive a version without a default object that is published while they hold their module back",
    async run(s) {
      const remote = await installed(s);
      await store(remote, "mine");
      await unwanted(s);
      await said(s, "Deleting", /kyma-system\/mine/);
      const { template, ...version } = alphaStore("1.1.0");
      await s.publish({ ...version, template: { manager: template?.manager } });
      await s.release("alpha-store", { regular: "1.1.0" });
      await s.until("the new version", async () => (await imageThere(remote))?.endsWith(":1.1.0") === true);
      await said(s, "Deleting", /kyma-system\/mine/);
      assert.ok((await standing(remote)).includes("AlphaStore mine"));
      await gone(s, remote, STORES, "mine", KYMA_SYSTEM);
      await uninstalled(s);
      assert.deepEqual(await standing(remote), []);
    },
  },
  {
    number: 16,
    name: "objects of users outlive a version without a default object that their module had come to before it was to go",
    async run(s) {
      const remote = await installed(s);
      await store(remote, "mine");
      const { template, ...version } = alphaStore("1.1.0");
      await s.publish({ ...version, template: { manager: template?.manager } });
      await s.release("alpha-store", { regular: "1.1.0" });
      await ready(s, "1.1.0");
      await unwanted(s);
      await said(s, "Deleting", /1 objects of the kind AlphaStore to be deleted: kyma-system\/mine$/);
      assert.ok((await standing(remote)).includes("AlphaStore mine"));
      await gone(s, remote, STORES, "mine", KYMA_SYSTEM);
      await uninstalled(s);
      assert.deepEqual(await standing(remote), []);
    },
  },
  {
    number: 16,
    name: "a default object that a later version names otherwise is no user's, and goes with its module",
    async run(s) {
      const remote = await installed(s);
      const { template, ...version } = alphaStore("1.1.0");
      const data = { apiVersion: "store.acme.test/v1", kind: "AlphaStore", metadata: { name: "main" } };
      await s.publish({ ...version, template: { ...template, data } });
      await s.release("alpha-store", { regular: "1.1.0" });
      await ready(s, "1.1.0");
      assert.ok((await standing(remote)).includes("AlphaStore default"));
      await unwanted(s);
      await uninstalled(s);
      assert.deepEqual(await standing(remote), []);
    },
  },
  {
    number: 17,
    name: "a module that is held back and wanted again is upgraded, and comes anew once it is gone",
    async run(s) {
      const remote = await installed(s);
      await store(remote, "mine");
      await s.publish(alphaStore("1.2.0"));
      await s.release("alpha-store", { regular: "1.0.0", fast: "1.2.0" });
      await unwanted(s);
      const old = await manifestOf(s);
      await wanted(s, { channel: "fast" });
      assert.equal(await imageThere(remote), "registry.test/dev/alpha-store:1.2.0");
      assert.equal((await manifestOf(s))?.metadata.uid, old?.metadata.uid);
      await gone(s, remote, STORES, "mine", KYMA_SYSTEM);
      await s.until("another Manifest", async () => {
        const next = await manifestOf(s);
        return next !== undefined && next.metadata.uid !== old?.metadata.uid;
      });
      await ready(s, "1.2.0");
      assert.equal(await imageThere(remote), "registry.test/dev/alpha-store:1.2.0");
    },
  },
  {
    number: 18,
    name: "a list of users' objects that fails takes nothing away",
    async run(s) {
      const remote = await installed(s);
      await store(remote, "mine");
      const before = await standing(remote);
      s.refuses({ verb: "list", kind: "AlphaStore" });
      const wish = unwanted(s);
      await eventually("the list to be refused", async () =>
        /not let that pass/.test((await manifestOf(s))?.status?.lastOperation?.operation ?? ""),
      );
      const { metadata, status } = (await manifestOf(s)) ?? {};
      assert.ok(metadata !== undefined && metadata.finalizers.length > 0);
      assert.equal(status?.state, "Deleting");
      assert.deepEqual(await standing(remote), before);
      s.refuses(undefined);
      await wish;
      await said(s, "Deleting", /kyma-system\/mine/);
      await gone(s, remote, STORES, "mine", KYMA_SYSTEM);
      await uninstalled(s);
      assert.deepEqual(await standing(remote), []);
    },
  },
];
