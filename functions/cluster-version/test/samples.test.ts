import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { leapingClock } from "../../../infra/testing/leaping-clock.ts";
import { startStack } from "../../../infra/testing/stack.ts";
import { samplesOf, simulateSystem, withSampleConfiguration } from "../../../infra/testing/system-parts.ts";
import { withAdapters } from "../../../shared/host/configuration.ts";
import { type Kind, type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Job } from "../../../shared/kube/kinds/index.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { payloads } from "../../../shared/ports/payloads/index.ts";
import { adapters } from "../adapters.ts";
import { ClusterOperatorDependency } from "../kinds/cluster-operator-dependency.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";
import { clusterVersionSystem } from "../system.ts";
import { hastened } from "./sample-releases.ts";

const configuration = withSampleConfiguration(["cluster-version"], {});

test("the samples install, update, meet a patch in which dns is degraded, and go back", async (t) => {
  const clock = leapingClock();
  const stack = await startStack({
    api: "local",
    systems: [withAdapters(clusterVersionSystem, adapters)],
    configuration,
    engine: { clock, ports: [payloads.bind(hastened())] },
  });
  t.onTestFinished(() => stack.stop());
  const operators = await simulateSystem("cluster-version", { client: stack.api.newClient() });
  t.onTestFinished(() => operators?.stop());
  const get = async <K extends Kind>(
    kind: K,
    name: string,
    namespace?: string,
  ): Promise<Obj<K> | undefined> => {
    const raw = await stack.client.get(resourceOf(kind), { name, namespace });
    return raw && parseObject(kind, raw);
  };
  const version = async () => (await get(ClusterVersion, "version"))?.status;
  const condition = async (type: string) => (await version())?.conditions?.find((one) => one.type === type);
  const operatorVersions = async (): Promise<Readonly<Record<string, string | undefined>>> => {
    const { items } = await stack.client.list(resourceOf(ClusterOperator));
    return Object.fromEntries(
      items.map((raw) => {
        const { metadata, status } = parseObject(ClusterOperator, raw);
        return [metadata.name, status?.versions?.find(({ name }) => name === "operator")?.version];
      }),
    );
  };
  /** Lets the time go on until it holds. Those who play operators try again by the machine's own clock. */
  const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
    const look = async (): Promise<boolean> => {
      await operators?.idle();
      await stack.settled();
      return holds();
    };
    for (let looks = 0; looks < 40; looks += 1) {
      if (await look()) return;
      clock.leap(16_000);
    }
    await eventually(what, look).catch(async (cause: unknown) => {
      throw new Error(`${what}: ${JSON.stringify((await version())?.conditions, null, 1)}`, { cause });
    });
  };
  const isDoneAt = (wanted: string) => async () => {
    const newest = (await version())?.history?.[0];
    return newest?.version === wanted && newest.state === "Completed";
  };
  const ask = (wanted: string) =>
    stack.client.patch(
      resourceOf(ClusterVersion),
      { name: "version" },
      "merge",
      { spec: { desiredUpdate: { version: wanted, image: `demo.example/release:${wanted}` } } },
      { fieldManager: "admin" },
    );
  const dependency = async () =>
    (await get(ClusterOperatorDependency, "console-waits-for-the-api"))?.status?.conditions?.find(
      ({ type }) => type === "Ready",
    )?.status;

  await stack.apply(samplesOf("cluster-version"));
  await until("1.0.0 is installed", isDoneAt("1.0.0"));
  assert.equal((await condition("Progressing"))?.message, "Cluster version is 1.0.0");
  assert.equal(Object.keys(await operatorVersions()).length, 13);
  assert.equal(await dependency(), "False");
  assert.ok((await get(ConfigMap, "mirrors", "demo-registry")) !== undefined);
  await stack.client.patch(
    resourceOf(ConfigMap),
    { name: "settings", namespace: "demo-monitoring" },
    "merge",
    { data: { retention: "90d" } },
    { fieldManager: "admin" },
  );

  await ask("1.1.0");
  await until("1.1.0 is there", isDoneAt("1.1.0"));
  assert.deepEqual([...new Set(Object.values(await operatorVersions()))], ["1.1.0"]);
  assert.equal(await dependency(), "True");
  assert.equal((await get(Job, "migrate-to-1-1-0", "demo-identity"))?.status?.succeeded, 1);
  assert.equal(await get(ConfigMap, "mirrors", "demo-registry"), undefined);
  const settings = await get(ConfigMap, "settings", "demo-monitoring");
  assert.equal(settings?.data?.retention, "90d", "what is made once belongs to the administrators");

  await ask("1.1.1");
  await until("1.1.1 waits for dns", async () =>
    ((await condition("Progressing"))?.message ?? "").endsWith("waiting up to 40 minutes on dns"),
  );
  const held = await operatorVersions();
  assert.deepEqual([held.dns, held.network, held.machines], ["1.1.1", "1.1.1", "1.1.0"]);
  assert.equal((await condition("Failing"))?.status, "False");
  clock.leap(45 * 60_000);
  await until("1.1.1 fails", async () => (await condition("Failing"))?.status === "True");
  assert.equal((await condition("Failing"))?.message, "Cluster operator dns is degraded");

  await ask("1.1.0");
  await until("1.1.0 is back", isDoneAt("1.1.0"));
  assert.deepEqual([...new Set(Object.values(await operatorVersions()))], ["1.1.0"]);
  assert.equal((await condition("Failing"))?.status, "False");
  assert.deepEqual(
    (await version())?.history?.map(({ version: of, state }) => `${of} ${state}`),
    ["1.1.0 Completed", "1.1.1 Partial", "1.1.0 Completed", "1.0.0 Completed"],
  );
});

test("what is proposed to try names releases that lie there", () => {
  const text = readFileSync(join(import.meta.dirname, "../samples/try.txt"), "utf8");
  const images = [...text.matchAll(/"image":"([^"]+)"/g)].map(([, image = ""]) => image);
  assert.equal(images.length, 3);
  for (const image of images) assert.match(image, /^demo\.example\/release:1\.1\.[01]$/);
});
