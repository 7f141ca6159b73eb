import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "vitest";
import { temporaryFolder } from "../../../infra/testing/command-line.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { payloadOf } from "../commands/payload.ts";
import { type Plan, type PlannedTask, planOf } from "../commands/plan.ts";
import { planText } from "../commands/plan-text.ts";
import { readWork } from "../decide/sync/work-record.ts";
import { type Component, configMap, imageOf, manifest, releaseFiles } from "./releases.ts";
import { installed, moveTo, pass, type Stage, startStage, WELL, workRecord } from "./stage.ts";

const OLD = "5.1.9";
const NEW = "5.2.0";
const COMPONENTS: readonly Component[] = [
  { name: "etcd", level: "20" },
  {
    name: "dns",
    level: "50",
    files: { "20_unknown": configMap("unknown", {}, { "capability.openshift.io/name": "NoSuch" }) },
  },
  { name: "console", level: "80" },
];

interface Planned {
  readonly stage: Stage;
  readonly plan: () => Promise<Plan>;
  /** A release as files, for the command. */
  readonly put: (version: string, components: readonly Component[]) => Promise<void>;
}

async function staged(t: TestContext): Promise<Planned> {
  const stage = await startStage({ api: await startTestApi({ api: "local", controllers: false }) });
  t.onTestFinished(() => stage.stop());
  const folder = temporaryFolder(t);
  const put: Planned["put"] = async (version, components) => {
    const place = join(folder, imageOf(version).replace(/[/:@]/g, "_"));
    for (const name of ["manifests", "release-manifests"])
      await mkdir(join(place, name), { recursive: true });
    for (const [path, text] of Object.entries(releaseFiles(version, components)))
      await writeFile(join(place, path), text);
  };
  for (const version of [OLD, NEW]) await put(version, COMPONENTS);
  const plan = async () => {
    const { client } = stage.stack;
    const found = await payloadOf(client, { payloads: folder }, stage.clock.now());
    return planOf(found.payload, found.mode, found.work, found.cluster);
  };
  return { stage, plan, put };
}
const gateOf = ({ lines }: Plan, name: string): PlannedTask | undefined =>
  lines.flatMap(({ tasks }) => tasks).find(({ task }) => task === `clusteroperator "${name}"`);

test("the plan tells which operator is waited for, since when and why, of the record that the sync wrote", async (t) => {
  const { stage, plan } = await staged(t);
  await installed(stage, OLD, COMPONENTS);
  await moveTo(stage, NEW, COMPONENTS);
  const record = readWork(await workRecord(stage));
  assert.deepEqual(Object.keys(record?.waiting ?? {}), ["etcd"]);
  const moving = await plan();
  assert.deepEqual(gateOf(moving, "etcd"), {
    index: 3,
    task: 'clusteroperator "etcd"',
    state: "waiting",
    since: record?.waiting.etcd,
    why: "Cluster operator etcd is updating versions",
  });
  assert.equal(gateOf(moving, "dns")?.state, "pending");
  await stage.report("etcd", { ...WELL, degraded: "True", versions: { operator: OLD } });
  await pass(stage, 36);
  const degraded = await plan();
  assert.deepEqual(gateOf(degraded, "etcd"), {
    ...gateOf(moving, "etcd"),
    why: "Cluster operator etcd is degraded",
  });
  assert.match(
    planText(degraded, false, stage.clock.now()),
    / waiting +36m +Cluster operator etcd is degraded$/m,
  );
  await pass(stage, 5);
  assert.equal(gateOf(await plan(), "etcd")?.state, "failing");
  await stage.report("etcd", { ...WELL, versions: { operator: NEW } });
  await stage.settled();
  const further = await plan();
  const { since, until } = readWork(await workRecord(stage))?.passed?.etcd ?? {};
  assert.equal(since, record?.waiting.etcd);
  assert.ok(Date.parse(until ?? "") - Date.parse(since ?? "") >= 41 * 60_000);
  assert.deepEqual([gateOf(further, "etcd")?.state, gateOf(further, "dns")?.state], ["done", "waiting"]);
});

test("what the cluster does not want is excluded and never counts as done", async (t) => {
  const { stage, plan } = await staged(t);
  await installed(stage, OLD, COMPONENTS);
  const whole = await plan();
  assert.deepEqual([whole.done, whole.total], [7, 8]);
  const left = whole.lines.flatMap(({ tasks }) => tasks).filter(({ state }) => state !== "done");
  assert.deepEqual(
    left.map(({ task, state, why }) => [task, state, why]),
    [['configmap "demo/unknown"', "excluded", "unrecognized capability names: NoSuch"]],
  );
  assert.deepEqual([...new Set(whole.lines.map(({ state }) => state))], ["done"]);
});

test("the plan tells what the server said to an object that it refused", async (t) => {
  const { stage, plan, put } = await staged(t);
  await installed(stage, OLD, COMPONENTS);
  const refused = manifest("v1", "ConfigMap", { name: "Not A Name", namespace: "demo" });
  const [etcd, ...others] = COMPONENTS;
  assert.ok(etcd);
  const broken = [{ ...etcd, files: { "05_bad": refused } }, ...others];
  await put(NEW, broken);
  await moveTo(stage, NEW, broken);
  const task = (await plan()).lines.flatMap(({ tasks }) => tasks).find(({ state }) => state === "failing");
  assert.equal(task?.task, 'configmap "demo/Not A Name"');
  assert.match(task?.why ?? "", /^Could not update configmap "demo\/Not A Name" \(2 of 9\): .*Not A Name/);
});
