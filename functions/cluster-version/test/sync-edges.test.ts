import assert from "node:assert/strict";
import { test } from "vitest";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { wrapClient } from "../../../infra/testing/wrapped-client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";
import { type Component, configMap, imageOf, manifest } from "./releases.ts";
import { allWell, installed, moveTo, pass, startStage, WELL, workRecord } from "./stage.ts";

const OLD = "5.1.9";
const NEW = "5.2.0";
const DNS: Component = { name: "dns", level: "70" };
const local = () => startTestApi({ api: "local", controllers: false });

test("scenario 33: a status that is on its way does not reach the ClusterVersion that was made anew meanwhile", async (t) => {
  let meanwhile: (() => Promise<void>) | undefined;
  const api = await local();
  const stage = await startStage({
    api,
    engineClient: (client) =>
      wrapClient(client, async (request, send) => {
        const act = meanwhile;
        if (act === undefined || !request.status || !request.write) return send();
        meanwhile = undefined;
        await act();
        return send();
      }),
  });
  t.onTestFinished(() => stage.stop());
  await installed(stage, OLD, [DNS]);
  const before = await stage.get(ClusterVersion, "version");
  stage.release(NEW, [DNS]);
  meanwhile = async () => {
    await api.client.delete(resourceOf(ClusterVersion), { name: "version" }, { uid: before?.metadata.uid });
    await stage.ask({ desiredUpdate: { image: imageOf(NEW) } });
  };
  await moveTo(stage, NEW);
  await allWell(stage, NEW, ["dns"]);
  const after = await stage.get(ClusterVersion, "version");
  assert.notEqual(after?.metadata.uid, before?.metadata.uid);
  // What the cluster was at is adopted, and the request follows it; nothing of the former history is carried over.
  assert.deepEqual((await stage.says()).history, [`${NEW} Completed`, `${OLD} Completed`]);
});

test("scenario 14: where degraded operators hold nobody up, one at its version passes at once and is told at the end", async (t) => {
  const stage = await startStage({ api: await local(), configuration: { blockOnDegraded: false } });
  t.onTestFinished(() => stage.stop());
  await installed(stage, OLD, [DNS]);
  await moveTo(stage, NEW, [DNS]);
  await stage.report("dns", { ...WELL, degraded: "True", versions: { operator: OLD } });
  await stage.settled();
  assert.equal(
    (await stage.says()).conditions.Failing,
    "True ClusterOperatorDegraded Cluster operator dns is degraded",
    "behind and degraded fails",
  );
  await stage.report("dns", { ...WELL, degraded: "True", versions: { operator: NEW } });
  await stage.settled();
  const { history, conditions } = await stage.says();
  assert.equal(history[0], `${NEW} Completed`);
  assert.equal(conditions.Failing, "True ClusterOperatorDegraded Cluster operator dns is degraded");
  assert.match(conditions.Progressing ?? "", /^False ClusterOperatorDegraded /);
});

test("without a record the work goes on: what is done is seen to be done", async (t) => {
  const stage = await startStage({ api: await local() });
  t.onTestFinished(() => stage.stop());
  await installed(stage, OLD, [DNS]);
  await moveTo(stage, NEW, [DNS]);
  const record = await workRecord(stage);
  assert.ok(record);
  await api(stage).delete(
    { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", scope: "Namespaced" },
    record.metadata,
    { uid: record.metadata.uid },
  );
  await stage.again();
  const { conditions } = await stage.says();
  assert.match(conditions.Progressing ?? "", /2 of 3 done \(66% complete\), waiting on dns$/);
  await allWell(stage, NEW, ["dns"]);
  assert.equal((await stage.says()).history[0], `${NEW} Completed`);
});
const api = ({ stack }: Awaited<ReturnType<typeof startStage>>) => stack.client;

test("a kind that the configuration does not admit fails its task and no other", async (t) => {
  const stage = await startStage({
    api: await local(),
    configuration: { kinds: ["namespaces", "configmaps"] },
  });
  t.onTestFinished(() => stage.stop());
  const role = JSON.parse(configMap("reader", {}));
  stage.release(OLD, [
    {
      ...DNS,
      operands: false,
      files: {
        "50_role": JSON.stringify({
          ...role,
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "Role",
          rules: [],
        }),
      },
    },
    { name: "web", level: "80", operands: false },
  ]);
  await moveTo(stage, OLD);
  stage.clock.leap(60_000);
  await stage.settled();
  stage.clock.leap(60_000);
  await stage.settled();
  const { conditions } = await stage.says();
  assert.equal(conditions.Failing, 'True UpdatePayloadFailed Could not update role "demo/reader" (3 of 4)');
  const resource = {
    group: "",
    version: "v1",
    kind: "ConfigMap",
    plural: "configmaps",
    scope: "Namespaced",
  } as const;
  assert.ok(await api(stage).get(resource, { name: "web-settings", namespace: "demo" }));
});

const crd = manifest(
  "apiextensions.k8s.io/v1",
  "CustomResourceDefinition",
  { name: "gears.demo.example" },
  {
    spec: {
      group: "demo.example",
      scope: "Namespaced",
      names: { kind: "Gear", listKind: "GearList", plural: "gears", singular: "gear" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: { spec: { type: "object", properties: { teeth: { type: "integer" } } } },
            },
          },
        },
      ],
    },
  },
);
const gear = (teeth: number): string =>
  manifest("demo.example/v1", "Gear", { name: "first", namespace: "demo" }, { spec: { teeth } });
const GEARS = {
  group: "demo.example",
  version: "v1",
  kind: "Gear",
  plural: "gears",
  scope: "Namespaced",
} as const;
const FIRST = { name: "first", namespace: "demo" };

for (const how of ["installed", "updated"] as const)
  test(`an object of a kind that the same component brings is ${how} once the server knows the kind`, async (t) => {
    const stage = await startStage({ api: await local() });
    t.onTestFinished(() => stage.stop());
    const gears: Component = { ...DNS, files: { "20_kind": crd, "30_gear": gear(7) } };
    if (how === "updated") await installed(stage, OLD, [DNS]);
    await (how === "installed" ? installed(stage, OLD, [gears]) : moveTo(stage, NEW, [gears]));
    for (let tries = 0; tries < 4; tries += 1) await pass(stage, 1);
    assert.deepEqual((await api(stage).get(GEARS, FIRST))?.spec, { teeth: 7 });
    await allWell(stage, how === "installed" ? OLD : NEW, ["dns"]);
    const next: Component = { ...DNS, files: { "20_kind": crd, "30_gear": gear(8) } };
    await moveTo(stage, "5.2.1", [next]);
    assert.deepEqual((await api(stage).get(GEARS, FIRST))?.spec, { teeth: 8 });
    await allWell(stage, "5.2.1", ["dns"]);
    assert.equal((await stage.says()).history[0], "5.2.1 Completed");
  });

test("while it only keeps to a release, what operators say is looked at in its turn; one that is gone is made at once", async (t) => {
  const stage = await startStage({ api: await local() });
  t.onTestFinished(() => stage.stop());
  await installed(stage, OLD, [DNS]);
  const passes = (): number =>
    stage.stack.runs().filter((run) => run.function === "cluster-version" && run.outcome !== "swept").length;
  const before = passes();
  await stage.report("dns", { ...WELL, available: "False", versions: { operator: OLD } });
  await stage.settled();
  assert.equal(passes(), before);
  assert.match((await stage.says()).conditions.Failing ?? "", /^False/);
  await pass(stage, 4);
  assert.match((await stage.says()).conditions.Failing ?? "", /^True ClusterOperatorNotAvailable /);

  // From now on it is failing, and hears at once that it need not.
  const failing = passes();
  await stage.report("dns", { ...WELL, versions: { operator: OLD } });
  await stage.settled();
  assert.ok(passes() > failing);
  assert.match((await stage.says()).conditions.Failing ?? "", /^False/);

  const dns = await stage.get(ClusterOperator, "dns");
  await api(stage).delete(resourceOf(ClusterOperator), { name: "dns" }, { uid: dns?.metadata.uid });
  await stage.settled();
  const made = await stage.get(ClusterOperator, "dns");
  assert.ok(made);
  assert.notEqual(made.metadata.uid, dns?.metadata.uid);
});
