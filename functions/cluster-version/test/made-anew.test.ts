import assert from "node:assert/strict";
import { type TestContext, test } from "vitest";
import { assertAtRest } from "../../../infra/testing/system/at-rest.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import { ClusterVersion } from "../kinds/index.ts";
import { clusterVersionSystem } from "../system.ts";
import { type Component, imageOf } from "./releases.ts";
import { allWell, moveTo, type Stage, settings, startStage, workRecord } from "./stage.ts";

const FIRST = "5.1.9";
const NEXT = "5.2.0";
const LATER = "5.2.1";
const DNS: Component = { name: "dns", level: "70" };

/** A cluster that was installed with one release and has moved to the next since. */
async function moved(t: TestContext): Promise<Stage> {
  const release = { version: FIRST, image: imageOf(FIRST) };
  const api = await startTestApi({ api: "local", controllers: false });
  const stage = await startStage({ api, configuration: { release } });
  t.onTestFinished(() => stage.stop());
  for (const version of [FIRST, NEXT, LATER]) stage.release(version, [DNS]);
  await stage.ask({});
  await allWell(stage, FIRST, ["dns"]);
  await moveTo(stage, NEXT);
  await allWell(stage, NEXT, ["dns"]);
  assert.deepEqual((await stage.says()).history, [`${NEXT} Completed`, `${FIRST} Completed`]);
  return stage;
}

async function anew(stage: Stage, spec: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const { client } = stage.stack;
  const before = await stage.get(ClusterVersion, "version");
  await client.delete(resourceOf(ClusterVersion), { name: "version" }, { uid: before?.metadata.uid });
  await stage.settled();
  await stage.ask(spec);
  await stage.settled();
}

async function forget(stage: Stage): Promise<void> {
  const record = await workRecord(stage);
  assert.ok(record);
  await stage.stack.client.delete(resourceOf(ConfigMap), record.metadata, { uid: record.metadata.uid });
}

test("a ClusterVersion made anew keeps the cluster at the release that it is at", async (t) => {
  const stage = await moved(t);
  await anew(stage);
  const { history, status } = await stage.says();
  assert.deepEqual(history, [`${NEXT} Completed`]);
  assert.equal(status?.desired.version, NEXT);
  assert.equal((await settings(stage, "dns"))?.data?.version, NEXT);
  await assertAtRest(stage, { system: clusterVersionSystem });
});

test("one made anew that asks for the release of the first day is refused as a rollback", async (t) => {
  const stage = await moved(t);
  await anew(stage, { desiredUpdate: { version: FIRST, image: imageOf(FIRST) } });
  const { history, conditions } = await stage.says();
  assert.deepEqual(history, [`${NEXT} Completed`]);
  assert.match(conditions.ReleaseAccepted ?? "", /^False PreconditionChecks .*"LowDesiredVersion"/s);
  assert.equal((await settings(stage, "dns"))?.data?.version, NEXT);
});

test("without a record an older release than the operators tell of is refused, until the right one is named", async (t) => {
  const stage = await moved(t);
  await forget(stage);
  await anew(stage);
  const refused = await stage.says();
  assert.deepEqual(refused.history, []);
  assert.match(
    refused.conditions.ReleaseAccepted ?? "",
    /^False PreconditionChecks .*"LowDesiredVersion": 5\.1\.9 is older than 5\.2\.0, which the cluster operators dns tell of/s,
  );
  assert.match(refused.conditions.Failing ?? "", /^True UpgradePreconditionCheckFailed /);
  assert.equal(
    refused.conditions.Progressing,
    `True UpgradePreconditionCheckFailed Unable to apply ${FIRST}: it may not be safe to apply this update`,
  );
  assert.equal((await settings(stage, "dns"))?.data?.version, NEXT);
  await assertAtRest(stage, { system: clusterVersionSystem });
  await stage.ask({ desiredUpdate: { version: NEXT, image: imageOf(NEXT) } });
  await stage.settled();
  const named = await stage.says();
  assert.deepEqual(named.history, [`${NEXT} Completed`]);
  assert.equal(named.conditions.Failing, "False");
  await moveTo(stage, LATER);
  await allWell(stage, LATER, ["dns"]);
  assert.equal((await stage.says()).history[0], `${LATER} Completed`);
});

test("by force the older release is taken, and that is recorded", async (t) => {
  const stage = await moved(t);
  await forget(stage);
  await anew(stage, { desiredUpdate: { version: FIRST, image: imageOf(FIRST), force: true } });
  const { history, status } = await stage.says();
  assert.deepEqual(history, [`${FIRST} Completed`]);
  assert.match(
    status?.history?.[0]?.acceptedRisks ?? "",
    /^Forced through blocking failures: .*5\.1\.9 is older than 5\.2\.0/,
  );
  assert.equal((await settings(stage, "dns"))?.data?.version, FIRST);
});

test("where the recorded release can no longer be had, the one that is asked for is judged by what the operators tell of", async (t) => {
  const stage = await moved(t);
  stage.payloads.remove(imageOf(NEXT));
  await anew(stage, { desiredUpdate: { version: FIRST, image: imageOf(FIRST) } });
  assert.match(
    (await stage.says()).conditions.ReleaseAccepted ?? "",
    /^False PreconditionChecks .*"LowDesiredVersion": 5\.1\.9 is less than the current target 5\.2\.0/s,
  );
  await stage.ask({ desiredUpdate: { version: LATER, image: imageOf(LATER) } });
  await allWell(stage, LATER, ["dns"]);
  assert.deepEqual((await stage.says()).history, [`${LATER} Completed`]);
});
