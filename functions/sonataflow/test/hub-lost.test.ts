import assert from "node:assert/strict";
import { test } from "vitest";
import { clusterSays, HUB, platformSays, putCluster, putHub } from "./people.ts";
import { startStackCluster } from "./stack-cluster.ts";

test("a cluster platform hears that its platform is lost, and that it is ready again, and of neither by a net", async (t) => {
  const c = await startStackCluster("local");
  t.onTestFinished(() => c.stack.stop());
  /** What led to its runs since this was last asked. */
  let seen = 0;
  const heard = (): readonly string[] => {
    const runs = c.stack.runs().filter((run) => run.function === "sonataflow-cluster-platforms");
    const causes = runs.slice(seen).flatMap((run) => run.causes);
    seen = runs.length;
    const types = causes.map(({ type }) => type).filter((type) => type.startsWith("dependency."));
    return [...new Set(types)];
  };
  await putHub(c);
  await putCluster(c, "main");
  await c.settled();
  assert.equal((await clusterSays(c, "main"))?.status, "True");
  heard();

  const nowhere = { persistence: { postgresql: { secretRef: { name: "db" }, jdbcUrl: "nowhere" } } };
  await putHub(c, { dataIndex: {}, jobService: nowhere });
  await c.settled();
  assert.equal((await platformSays(c, HUB))?.reason, "Failure");
  assert.deepEqual(heard(), ["dependency.lost"]);
  assert.match((await clusterSays(c, "main"))?.message ?? "", /not ready: its status says why/);

  await putHub(c);
  await c.settled();
  assert.equal((await platformSays(c, HUB))?.status, "True");
  assert.deepEqual(heard(), ["dependency.ready"]);
  assert.deepEqual(await clusterSays(c, "main"), {
    status: "True",
    reason: "",
    message: "Referenced SonataFlowPlatform 'wf-hub/hub' is ready",
  });
});
