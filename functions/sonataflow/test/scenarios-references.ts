import assert from "node:assert/strict";
import type { Cluster } from "../../../infra/testing/system/cluster.ts";
import { Deployment } from "../../../shared/kube/kinds/index.ts";
import { ClusterPlatform, Platform, Workflow } from "../index.ts";
import * as they from "./people.ts";
import type { Scenarios } from "./scenario.ts";

const { HUB, TEAM, FLOW, BOTH, CLUSTER, NONE } = they;
const reference = (services?: object) => ({
  name: "a",
  platformRef: HUB,
  ...(services !== undefined && { services }),
});

async function shared(c: Cluster): Promise<void> {
  await they.putHub(c);
  await they.putCluster(c, "a");
}
async function teamOnShared(c: Cluster): Promise<void> {
  await shared(c);
  await they.putPlatform(c, TEAM);
  await they.putWorkflow(c);
  await c.settled();
}

/** References to the cluster's services: who sees which. */
export const references: Scenarios = [
  {
    number: 1,
    name: "a cluster platform with a ready platform is True",
    async run(c) {
      await they.putHub(c);
      await c.settled();
      await they.putCluster(c, "a");
      await c.settled();
      assert.deepEqual(await they.clusterSays(c, "a"), {
        status: "True",
        reason: "",
        message: "Referenced SonataFlowPlatform 'wf-hub/hub' is ready",
      });
      const a = await c.get(ClusterPlatform, { name: "a" });
      assert.equal(a?.status?.version, "0.8");
      assert.equal(a?.status?.observedGeneration, 1);
    },
  },
  {
    number: 2,
    name: "another namespace's platform refers to both services",
    async run(c) {
      await shared(c);
      await they.putPlatform(c, TEAM);
      await c.settled();
      assert.deepEqual(await they.referenceOf(c), reference(BOTH));
    },
  },
  {
    number: 3,
    name: "the referenced platform's own reference carries no services",
    async run(c) {
      await shared(c);
      await c.settled();
      assert.deepEqual(await they.referenceOf(c, HUB), reference());
    },
  },
  {
    number: 4,
    name: "a workflow uses the cluster's services",
    async run(c) {
      await teamOnShared(c);
      await they.assertUses(c, CLUSTER);
      const flow = await c.get(Workflow, FLOW);
      assert.deepEqual(flow?.status?.services, BOTH);
      assert.deepEqual(flow?.status?.platform, TEAM);
    },
  },
  {
    number: 5,
    name: "empty services opt out, with one roll-out",
    async run(c) {
      await teamOnShared(c);
      await they.assertRollouts(c, 1, () => they.putPlatform(c, TEAM, { services: {} }));
      assert.deepEqual(await they.referenceOf(c), reference());
      await they.assertUses(c, NONE);
    },
  },
  {
    number: 6,
    name: "one service of one's own leaves the other one out",
    async run(c) {
      await shared(c);
      await they.putPlatform(c, TEAM, { services: { dataIndex: {} } });
      await they.putWorkflow(c);
      await c.settled();
      await they.assertUses(c, { dataIndex: "http://team-data-index-service.team-a", jobService: undefined });
      assert.deepEqual(await they.referenceOf(c), reference());
    },
  },
  {
    number: 7,
    name: "services taken away bring the cluster's back, with one roll-out",
    async run(c) {
      await shared(c);
      await they.putPlatform(c, TEAM, { services: {} });
      await they.putWorkflow(c);
      await c.settled();
      await they.assertUses(c, NONE);
      await they.assertRollouts(c, 1, () => they.putPlatform(c, TEAM));
      await they.assertUses(c, CLUSTER);
      await they.putPlatform(c, TEAM, { services: { dataIndex: {}, jobService: {} } });
      await c.settled();
      // Not by way of none, though the platform's status says so until it is written anew.
      await they.assertRollouts(c, 1, () => they.putPlatform(c, TEAM));
      await they.assertUses(c, CLUSTER);
    },
  },
  {
    number: 8,
    name: "a disabled Data Index is deployed, and nothing uses it",
    async run(c) {
      await they.putPlatform(c, TEAM, { services: { dataIndex: { enabled: false }, jobService: {} } });
      await they.putWorkflow(c);
      await c.settled();
      assert.ok(await c.get(Deployment, { name: "team-data-index-service", namespace: "team-a" }));
      await they.assertUses(c, { dataIndex: undefined, jobService: "http://team-jobs-service.team-a" });
      const jobs = await they.serviceProperties(c, "team-jobs-service", "team-a");
      assert.deepEqual(
        Object.keys(jobs).filter((key) => key.includes("job-status")),
        [],
      );
    },
  },
  {
    number: 9,
    name: "a disabled service of the hub is not offered",
    async run(c) {
      await they.putHub(c, { dataIndex: {}, jobService: { enabled: false } });
      await they.putCluster(c, "a");
      await they.putPlatform(c, TEAM);
      await c.settled();
      assert.deepEqual(await they.referenceOf(c), reference({ dataIndexRef: BOTH.dataIndexRef }));
    },
  },
  {
    number: 10,
    name: "a service that says nothing of enabled counts as enabled",
    async run(c) {
      await they.putPlatform(c, TEAM);
      await they.putCluster(c, "a");
      await they.putHub(c, { dataIndex: {} });
      await c.settled();
      assert.deepEqual(await they.referenceOf(c), reference({ dataIndexRef: BOTH.dataIndexRef }));
    },
  },
  {
    number: 24,
    name: "another platformRef switches all URLs in one roll-out",
    async run(c) {
      await teamOnShared(c);
      const other = { name: "other", namespace: "wf-other" };
      await they.putPlatform(c, other, { services: { dataIndex: {}, jobService: {} } });
      await c.settled();
      await they.assertRollouts(c, 1, () => they.putCluster(c, "a", other));
      await they.assertUses(c, {
        dataIndex: "http://other-data-index-service.wf-other",
        jobService: "http://other-jobs-service.wf-other",
      });
      assert.deepEqual((await they.referenceOf(c))?.platformRef, other);
    },
  },
  {
    number: 26,
    name: "no capabilities show the reference and share nothing",
    async run(c) {
      await they.putHub(c);
      await they.putCluster(c, "a", HUB, { capabilities: { workflows: [] } });
      await they.putPlatform(c, TEAM);
      await they.putWorkflow(c);
      await c.settled();
      assert.deepEqual(await they.referenceOf(c), reference());
      await they.assertUses(c, NONE);
      await they.putCluster(c, "a", HUB, { capabilities: {} });
      await c.settled();
      assert.deepEqual(await they.referenceOf(c), reference());
      if (!c.validates) return;
      await assert.rejects(
        they.putCluster(c, "b", HUB, { capabilities: { workflows: ["build"] } }),
        /spec\.capabilities\.workflows/,
      );
      await assert.rejects(they.putCluster(c, "b", { name: "hub" }), /spec\.platformRef\.namespace/);
    },
  },
  {
    number: 29,
    name: "a namespace without a platform gets an empty one",
    async run(c) {
      await shared(c);
      await c.settled();
      await Promise.all([they.putWorkflow(c), they.putWorkflow(c, { name: "second", namespace: "team-a" })]);
      await c.settled();
      const all = await c.list(Platform, "team-a");
      assert.deepEqual(
        all.map(({ metadata }) => metadata.name),
        ["sonataflow-platform"],
      );
      assert.equal(all[0]?.spec?.services, undefined);
      await they.assertUses(c, CLUSTER);
      await they.assertUses(c, CLUSTER, { name: "second", namespace: "team-a" });
    },
  },
  {
    number: 30,
    name: "a dev workflow uses no services",
    async run(c) {
      await shared(c);
      await they.putPlatform(c, TEAM, { services: { dataIndex: {}, jobService: {} } });
      await they.putWorkflow(c, FLOW, "dev");
      await c.settled();
      const managed = await they.managedOf(c, FLOW, "application-dev.properties");
      assert.equal(managed["kogito.events.processdefinitions.enabled"], "false");
      assert.equal(managed["kogito.data-index.url"], undefined);
      assert.equal(managed["kogito.jobs-service.url"], undefined);
      assert.equal((await c.get(Workflow, FLOW))?.status?.services, undefined);
    },
  },
];
