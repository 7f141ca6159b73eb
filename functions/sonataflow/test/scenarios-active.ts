import assert from "node:assert/strict";
import type { Cluster } from "../../../infra/testing/system/cluster.ts";
import { ConfigMap, Deployment, Namespace, Service } from "../../../shared/kube/kinds/index.ts";
import { ClusterPlatform, Platform } from "../index.ts";
import * as they from "./people.ts";
import type { Scenarios } from "./scenario.ts";

const { HUB, TEAM, CLUSTER, NONE } = they;
const OTHER = { name: "other", namespace: "wf-other" };
const OTHERS = {
  dataIndex: "http://other-data-index-service.wf-other",
  jobService: "http://other-jobs-service.wf-other",
};

/** a → hub is active, b → other is ready and behind it; a workflow of team-a uses the hub's services. */
async function bBehindA(c: Cluster): Promise<void> {
  await they.putHub(c);
  await they.putPlatform(c, OTHER, { services: { dataIndex: {}, jobService: {} } });
  await they.putCluster(c, "a");
  await they.putPlatform(c, TEAM);
  await they.putWorkflow(c);
  await c.settled();
  await they.putCluster(c, "b", OTHER);
  await c.settled();
}
const says = async (c: Cluster, name: string): Promise<string> => {
  const said = await they.clusterSays(c, name);
  return `${said?.status}/${said?.reason}`;
};
const namedEverywhere = async (c: Cluster): Promise<readonly (string | undefined)[]> => [
  ...new Set((await c.list(Platform)).map(({ status }) => status?.clusterPlatformRef?.name)),
];

/** The active one among cluster platforms. */
export const active: Scenarios = [
  {
    number: 11,
    name: "a missing platform is said, and its coming is seen without a poll",
    async run(c) {
      await they.putCluster(c, "a", { name: "y", namespace: "x" });
      await c.settled();
      assert.deepEqual(await they.clusterSays(c, "a"), {
        status: "False",
        reason: "PlatformNotFound",
        message: "y platform does not exist in x namespace.",
      });
      await they.putPlatform(c, { name: "y", namespace: "x" });
      await c.settled();
      assert.equal(await says(c, "a"), "True/");
    },
  },
  {
    number: 13,
    name: "a duplicated platform is not ready, and nobody refers to it",
    async run(c) {
      await they.putPlatform(c, { name: "first", namespace: "wf-hub" });
      await c.settled();
      await they.putHub(c);
      await they.putCluster(c, "a");
      await they.putPlatform(c, TEAM);
      await c.settled();
      assert.deepEqual(await they.clusterSays(c, "a"), {
        status: "False",
        reason: "Failure",
        message: "Referenced SonataFlowPlatform 'wf-hub/hub' not ready",
      });
      assert.deepEqual(await namedEverywhere(c), [undefined]);
    },
  },
  {
    number: 14,
    name: "a second ready cluster platform is Duplicated and changes nothing",
    async run(c) {
      await they.putHub(c);
      await they.putPlatform(c, OTHER, { services: { dataIndex: {} } });
      await they.putCluster(c, "a");
      await they.putPlatform(c, TEAM);
      await they.putWorkflow(c);
      await c.settled();
      await they.assertRollouts(c, 0, () => they.putCluster(c, "b", OTHER));
      assert.equal(await says(c, "b"), "False/Duplicated");
      assert.deepEqual(await namedEverywhere(c), ["a"]);
    },
  },
  {
    number: 15,
    name: "the active one deleted, the next takes over in one roll-out",
    async run(c) {
      await bBehindA(c);
      await they.assertRollouts(c, 1, () => c.remove(ClusterPlatform, { name: "a" }));
      assert.equal(await says(c, "b"), "True/");
      assert.deepEqual(await namedEverywhere(c), ["b"]);
      await they.assertUses(c, OTHERS);
    },
  },
  {
    number: 16,
    name: "the active one's platform deleted, the next takes over",
    async run(c) {
      await bBehindA(c);
      await c.remove(Platform, HUB);
      await c.settled();
      assert.equal(await says(c, "b"), "True/");
      assert.equal(await says(c, "a"), "False/Duplicated");
      await they.assertUses(c, OTHERS);
    },
  },
  {
    number: 17,
    name: "one that turned inactive and is then deleted leaves nobody stuck",
    async run(c) {
      await bBehindA(c);
      await c.remove(Platform, HUB);
      await c.remove(ClusterPlatform, { name: "a" });
      await c.settled();
      assert.equal(await says(c, "b"), "True/");
    },
  },
  {
    number: 18,
    name: "a ready secondary one is not in the way",
    async run(c) {
      await they.putCluster(c, "s", OTHER, { secondary: true });
      await bBehindA(c);
      assert.equal(await says(c, "s"), "True/");
      await c.remove(ClusterPlatform, { name: "a" });
      await c.settled();
      assert.equal(await says(c, "b"), "True/");
      assert.deepEqual(await namedEverywhere(c), ["b"]);
    },
  },
  {
    number: 19,
    name: "the active one made secondary gives the role up",
    async run(c) {
      await bBehindA(c);
      await they.putCluster(c, "a", HUB, { secondary: true });
      await c.settled();
      assert.deepEqual(await namedEverywhere(c), ["b"]);
      assert.equal(await says(c, "a"), "True/");
      await they.putCluster(c, "b", OTHER, { secondary: true });
      await c.settled();
      assert.deepEqual(await namedEverywhere(c), [undefined]);
      await they.assertUses(c, NONE);
    },
  },
  {
    number: 20,
    name: "two at once: exactly one wins, and all agree on it",
    async run(c) {
      await they.putHub(c);
      await they.putPlatform(c, OTHER, { services: { dataIndex: {} } });
      await they.putPlatform(c, TEAM);
      await c.settled();
      await Promise.all([they.putCluster(c, "a"), they.putCluster(c, "b", OTHER)]);
      await c.settled();
      const verdicts = [await says(c, "a"), await says(c, "b")];
      assert.deepEqual(verdicts.toSorted(), ["False/Duplicated", "True/"]);
      const winner = verdicts[0] === "True/" ? "a" : "b";
      assert.deepEqual(await namedEverywhere(c), [winner]);
      await c.again();
      assert.equal(await says(c, winner), "True/");
    },
  },
  {
    number: 21,
    name: "the only one deleted leaves every service as it was",
    async run(c) {
      await they.putHub(c);
      await they.putCluster(c, "a");
      await they.putPlatform(c, TEAM);
      await c.settled();
      const objects = async () =>
        [
          ...(await c.list(Deployment, "wf-hub")),
          ...(await c.list(Service, "wf-hub")),
          ...(await c.list(ConfigMap, "wf-hub")),
        ]
          .filter(({ metadata }) => metadata.name.startsWith("hub-"))
          .map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`);
      const before = await objects();
      assert.equal(before.length, 6);
      await c.remove(ClusterPlatform, { name: "a" });
      await c.settled();
      assert.deepEqual(await namedEverywhere(c), [undefined]);
      assert.deepEqual(await objects(), before);
    },
  },
  {
    number: 22,
    name: "the shared platform deleted: references go, and only who used it rolls out",
    async run(c) {
      await theirOwnServices(c);
      const own = { name: "own", namespace: "team-b" };
      const before = await they.rollouts(c, own);
      const spec = (await c.get(Platform, TEAM))?.spec;
      await they.assertRollouts(c, 1, () => c.remove(Platform, HUB));
      assert.equal(await says(c, "a"), "False/PlatformNotFound");
      assert.deepEqual(await namedEverywhere(c), [undefined]);
      assert.deepEqual((await c.get(Platform, TEAM))?.spec, spec);
      await they.assertUses(c, NONE);
      assert.equal(await they.rollouts(c, own), before);
    },
  },
  {
    number: 23,
    name: "the shared platform made again brings everything back",
    async run(c) {
      await theirOwnServices(c);
      await c.remove(Platform, HUB);
      await c.settled();
      await they.assertUses(c, NONE);
      await they.putHub(c);
      await c.settled();
      assert.equal(await says(c, "a"), "True/");
      await they.assertUses(c, CLUSTER);
    },
  },
  {
    number: 25,
    name: "a namespace that does not exist is said, and not made",
    async run(c) {
      await they.putHub(c);
      await they.putCluster(c, "a");
      await c.settled();
      await they.putCluster(c, "a", { name: "hub", namespace: "nowhere" });
      await c.settled();
      assert.equal(await says(c, "a"), "False/PlatformNotFound");
      assert.equal(await c.get(Namespace, { name: "nowhere" }), undefined);
    },
  },
];

async function theirOwnServices(c: Cluster): Promise<void> {
  await they.putHub(c);
  await they.putCluster(c, "a");
  await they.putPlatform(c, TEAM);
  await they.putWorkflow(c);
  await they.putPlatform(c, { name: "own", namespace: "team-b" }, { services: { dataIndex: {} } });
  await they.putWorkflow(c, { name: "own", namespace: "team-b" });
  await c.settled();
}
