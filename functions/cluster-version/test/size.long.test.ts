import assert from "node:assert/strict";
import { test } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { mortalClient } from "../../../infra/testing/mortal-client.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { wrapClient } from "../../../infra/testing/wrapped-client.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { COMPONENTS, generatedPayload, REAL_PAYLOAD_TASKS } from "./payload/index.ts";
import { imageOf } from "./releases.ts";
import { type Stage, startStage, WELL } from "./stage.ts";

const VERSION = "1.0.0";

/** A payload of the size of a real one, and operators that are well from the first moment on. */
async function ready(stage: Stage): Promise<void> {
  stage.payloads.put(imageOf(VERSION), generatedPayload({ version: VERSION }));
  for (const { name, operator } of COMPONENTS)
    if (operator) await stage.report(name, { ...WELL, versions: { operator: VERSION } });
  await stage.settled();
}
const complete = (stage: Stage): Promise<unknown> =>
  eventually(
    "the installation to end",
    async () => (await stage.says()).history[0] === `${VERSION} Completed`,
  );

test("a payload of real size is installed; a pass that finds nothing changed writes nothing and reads each object once", async (t) => {
  const api = await startTestApi({ api: "local", controllers: false });
  const counts = { reads: 0, writes: 0 };
  const engineClient = (client: KubeClient): KubeClient =>
    wrapClient(client, (request, send) => {
      if (request.verb === "get") counts.reads += 1;
      if (request.write) counts.writes += 1;
      return send();
    });
  const stage = await startStage({ api, engineClient });
  t.onTestFinished(() => stage.stop());
  await ready(stage);
  await stage.ask({ desiredUpdate: { version: VERSION, image: imageOf(VERSION) } });
  await complete(stage);
  // On a busy machine the last of 862 echoes comes later than what counts as settled for others.
  await eventually("nothing runs any more", async () => {
    const before = stage.stack.runs().length;
    await stage.settled();
    return stage.stack.runs().length === before;
  });
  const { status } = await stage.says();
  assert.equal(status?.history?.length, 1);
  Object.assign(counts, { reads: 0, writes: 0 });
  const runs = stage.stack.runs().length;
  await stage.again();
  const passes = stage.stack
    .runs()
    .slice(runs)
    .filter((run) => run.function === "cluster-version" && run.outcome !== "swept");
  // On a slow machine a pass takes so long that the deadlines of other passes come due beside it.
  const timers = passes.filter(({ causes }) => causes.every(({ type }) => type === "timer.due"));
  assert.deepEqual(
    passes
      .filter((run) => !timers.includes(run))
      .map(({ outcome, causes }) => [outcome, causes.map(({ type }) => type)]),
    [["done", ["command.reconcile"]]],
  );
  assert.equal(counts.writes, 0);
  const gates = COMPONENTS.filter(({ operator }) => operator).length;
  // Beside the objects: the ClusterVersion and what administrators and the sync itself keep, for each function.
  assert.ok(counts.reads >= REAL_PAYLOAD_TASKS - gates, `${counts.reads}`);
  const most = (REAL_PAYLOAD_TASKS - gates + 16) * (1 + timers.length);
  assert.ok(counts.reads <= most, `${counts.reads}`);
});

test("a host that dies in the midst of it is followed by one that goes on", async (t) => {
  const api = await startTestApi({ api: "local", controllers: false });
  const created: number[] = [];
  let deaths = 0;
  const stage = await startStage({
    api,
    engineClient: (client) => {
      const counting = wrapClient(client, (request, send) => {
        if (request.verb === "create") created[deaths] = (created[deaths] ?? 0) + 1;
        return send();
      });
      if (deaths > 0) return counting;
      return mortalClient(counting, 500, () => {
        deaths = 1;
        stage.stack.engine.bus.abandon();
      }).client;
    },
  });
  t.onTestFinished(() => stage.stop());
  await ready(stage);
  await stage.ask({ desiredUpdate: { version: VERSION, image: imageOf(VERSION) } });
  await eventually("the host to die", async () => deaths === 1);
  await stage.restart();
  await complete(stage);
  await stage.settled();
  const [before = 0, after = 0] = created;
  assert.ok(before >= 400, `${before}`);
  // What was written down as done is not looked at again; of one pass at most it is not known.
  assert.ok(before + after <= REAL_PAYLOAD_TASKS + 232, `${before} and ${after}`);
});
