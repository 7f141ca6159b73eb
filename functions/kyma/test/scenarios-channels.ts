import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import type { Stage } from "./stage.ts";

const ALPHA = "alpha-store";
const modules = [{ name: ALPHA }];
/** Publishes versions of a module, and sets its channels. */
async function offer(
  s: Stage,
  channels: Readonly<Record<string, string>>,
  template: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const versions = [...new Set(Object.values(channels))];
  await s.publish(...versions.map((version) => ({ module: ALPHA, version, template })));
  await s.release(ALPHA, channels);
}
const version = async (s: Stage) => (await s.manifest(ALPHA))?.spec?.version;
const said = async (s: Stage) => {
  const module = await s.module(ALPHA);
  return [module?.state, module?.version, module?.maintenance];
};

/** Versions follow channels, never back, and wait for windows: 8 to 13. */
export const channels: readonly Scenario<Stage>[] = [
  {
    number: 8,
    name: "a new version of a channel is installed, and its default configuration object stays as it is",
    async run(s) {
      const data = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "alpha-settings" } };
      await offer(s, { regular: "1.4.2" }, { data });
      await s.wants({ modules });
      assert.deepEqual(await said(s), ["Ready", "1.4.2", false]);
      await offer(s, { regular: "1.5.0" }, { data });
      assert.equal(await version(s), "1.5.0");
      assert.deepEqual(await said(s), ["Ready", "1.5.0", false]);
      const { resource, template } = (await s.module(ALPHA)) ?? {};
      assert.deepEqual(resource?.metadata, { name: "alpha-settings", namespace: "kyma-system" });
      assert.equal(template?.metadata?.name, "alpha-store-1.5.0");
    },
  },
  {
    number: 9,
    name: "a channel with an older version leaves what is installed, and says both versions",
    async run(s) {
      await offer(s, { regular: "1.4.2", fast: "1.5.0" });
      await s.wants({ channel: "fast", modules });
      assert.deepEqual(await said(s), ["Ready", "1.5.0", false]);
      await s.wants({ channel: "regular", modules });
      assert.equal(await version(s), "1.5.0");
      const warned = await s.module(ALPHA);
      assert.equal(warned?.state, "Warning");
      assert.match(warned?.message ?? "", /1\.5\.0.*1\.4\.2/);
      assert.equal((await s.says()).state, "Warning");
      await s.wants({ channel: "fast", modules });
      assert.deepEqual(await said(s), ["Ready", "1.5.0", false]);
    },
  },
  {
    number: 10,
    name: "of versions that differ in what stands behind a dash none is older",
    async run(s) {
      await offer(s, { regular: "1.5.0-rc1" });
      await s.wants({ modules });
      await offer(s, { regular: "1.5.0" });
      assert.deepEqual(await said(s), ["Ready", "1.5.0", false]);
      await offer(s, { regular: "1.5.0-rc1" });
      assert.deepEqual(await said(s), ["Ready", "1.5.0-rc1", false]);
    },
  },
  {
    number: 11,
    name: "an upgrade that interrupts the service begins with its window, and nobody looks before",
    async run(s) {
      const requiresDowntime = true;
      await offer(s, { regular: "1.0.0" }, { requiresDowntime });
      await s.wants({ modules }, { labels: { "kyma-project.io/region": "closed" } });
      assert.deepEqual(await said(s), ["Ready", "1.0.0", false], "a first installation waits for nothing");
      await offer(s, { regular: "1.1.0" }, { requiresDowntime });
      assert.deepEqual(await said(s), ["Ready", "1.0.0", true]);
      await s.until("it to be Ready", async () => (await s.says()).state === "Ready");
      const before = s.stack.runs().length;
      await s.leap(s.maintenance.opensIn() - 1);
      assert.equal(
        s.stack
          .runs()
          .slice(before)
          .filter(({ function: name }) => name === "kymas").length,
        0,
      );
      assert.equal(await version(s), "1.0.0");
      await s.leap(2);
      assert.deepEqual(await said(s), ["Ready", "1.1.0", false]);
    },
  },
  {
    number: 12,
    name: "who skips maintenance windows is upgraded at once",
    async run(s) {
      const requiresDowntime = true;
      const labels = { "kyma-project.io/region": "closed" };
      // The window of a scenario before has passed.
      await s.leap(90);
      await offer(s, { regular: "1.0.0" }, { requiresDowntime });
      await s.wants({ modules }, { labels });
      await offer(s, { regular: "1.1.0" }, { requiresDowntime });
      assert.deepEqual(await said(s), ["Ready", "1.0.0", true]);
      await s.wants({ modules, skipMaintenanceWindows: true }, { labels });
      assert.deepEqual(await said(s), ["Ready", "1.1.0", false]);
    },
  },
  {
    number: 13,
    name: "a window that began yesterday is open after midnight, and closed once too little of it is left",
    async run(s) {
      const requiresDowntime = true;
      await offer(s, { regular: "1.0.0" }, { requiresDowntime });
      await s.wants({ modules }, { labels: { "kyma-project.io/region": "weekend" } });
      await s.leap(s.maintenance.until("Sun", "00:30"));
      await offer(s, { regular: "1.1.0" }, { requiresDowntime });
      assert.deepEqual(await said(s), ["Ready", "1.1.0", false]);
      await s.leap(s.maintenance.until("Sun", "01:45"));
      await offer(s, { regular: "1.2.0" }, { requiresDowntime });
      assert.deepEqual(await said(s), ["Ready", "1.1.0", true]);
      assert.match((await s.module(ALPHA))?.message ?? "", /T23:00:00.*T02:00:00/);
      await s.leap(s.maintenance.until("Sat", "23:01"));
      assert.deepEqual(await said(s), ["Ready", "1.2.0", false]);
    },
  },
];
