import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { RunRecord } from "../../../shared/bus/run-record.ts";
import * as they from "./people.ts";
import { type StackCluster, startStackCluster } from "./stack-cluster.ts";

const NAMES = 5;
const NAMESPACES = 6;
/** For failures only: on a busy machine so many objects take their time. */
const LIMIT = 300_000;
const OTHER_HUB = { name: "hub", namespace: "wf-hub-b" };
const flows = Array.from({ length: NAMES * NAMESPACES }, (_, index) => ({
  name: `flow-${index % NAMES}`,
  namespace: `team-${Math.floor(index / NAMES)}`,
}));
type Flow = (typeof flows)[number];

describe(`${flows.length} workflows of ${NAMES} names in ${NAMESPACES} namespaces`, {
  timeout: LIMIT,
}, () => {
  let cluster: StackCluster;
  beforeAll(async () => {
    cluster = await startStackCluster("local");
    await they.putHub(cluster);
    await they.putPlatform(cluster, OTHER_HUB, { services: { dataIndex: {}, jobService: {} } });
    await they.putCluster(cluster, "a");
    // The namespaces one after the other, as they come to be.
    for (let at = 0; at < flows.length; at += NAMES) {
      await Promise.all(flows.slice(at, at + NAMES).map((flow) => they.putWorkflow(cluster, flow)));
      await cluster.settled();
    }
  }, LIMIT);
  afterAll(() => cluster.stack.stop());

  /** The runs that a change leads to. */
  const runsOf = async (change: () => Promise<void>): Promise<readonly RunRecord[]> => {
    const before = cluster.stack.runs().length;
    await change();
    await cluster.settled();
    return cluster.stack.runs().slice(before);
  };
  const runsFor = (runs: readonly RunRecord[], { name, namespace }: Flow): readonly RunRecord[] =>
    runs.filter(
      ({ function: of, key }) => of === "sonataflow-workflows" && key.endsWith(`/${namespace}/${name}`),
    );
  const sent = (runs: readonly RunRecord[], verb: string, subject: string): number =>
    runs
      .flatMap(({ writes }) => writes)
      .filter((write) => write.sent && write.verb === verb && write.subject === subject).length;

  test("all are right, and nothing waits", async () => {
    const urls = { dataIndex: they.DATA_INDEX, jobService: they.JOBS };
    for (const flow of flows) {
      await they.assertUses(cluster, urls, flow);
      const last = runsFor(cluster.stack.runs(), flow).findLast(({ outcome }) => outcome !== "swept");
      assert.deepEqual([last?.outcome, last?.waitingFor], ["done", []], `${flow.namespace}/${flow.name}`);
    }
    assert.deepEqual(await cluster.stack.engine.bus.counts(), {});
  });

  test("another hub costs each one status write and one roll-out", async () => {
    const before = await Promise.all(flows.map((flow) => they.rollouts(cluster, flow)));
    const runs = await runsOf(() => they.putCluster(cluster, "a", OTHER_HUB));
    const urls = {
      dataIndex: "http://hub-data-index-service.wf-hub-b",
      jobService: "http://hub-jobs-service.wf-hub-b",
    };
    for (const [index, flow] of flows.entries()) {
      const { name, namespace } = flow;
      await they.assertUses(cluster, urls, flow);
      const own = runsFor(runs, flow);
      assert.deepEqual(
        {
          statuses: sent(own, "status", `sonataflow.org/SonataFlow/${namespace}/${name}`),
          deployments: sent(own, "apply", `apps/Deployment/${namespace}/${name}`),
          properties: sent(own, "apply", `/ConfigMap/${namespace}/${name}-managed-props`),
          rollouts: (await they.rollouts(cluster, flow)) - (before[index] ?? 0),
          waitingFor: own.findLast(({ outcome }) => outcome !== "swept")?.waitingFor,
        },
        { statuses: 1, deployments: 1, properties: 1, rollouts: 1, waitingFor: [] },
        `${namespace}/${name}`,
      );
    }
    assert.deepEqual(await cluster.stack.engine.bus.counts(), {});
  });

  test("a further workflow of a name is looked at alone: it is the younger one that is warned", async () => {
    const further = { name: "flow-3", namespace: "team-further" };
    const runs = await runsOf(() => they.putWorkflow(cluster, further));
    assert.ok(runsFor(runs, further).length > 0);
    for (const flow of flows)
      assert.deepEqual(
        runsFor(runs, flow).filter(({ outcome }) => outcome !== "swept"),
        [],
        `${flow.namespace}/${flow.name}`,
      );
  });
});
