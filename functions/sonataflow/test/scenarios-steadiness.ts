import assert from "node:assert/strict";
import type { Cluster } from "../../../infra/testing/system/cluster.ts";
import { ConfigMap, Deployment, Service } from "../../../shared/kube/kinds/index.ts";
import { ClusterPlatform, Platform, Workflow } from "../index.ts";
import { CHECKSUM } from "../kinds/annotations.ts";
import * as they from "./people.ts";
import type { Scenarios } from "./scenario.ts";

const { TEAM, FLOW, CLUSTER, BOTH } = they;

async function teamOnShared(c: Cluster): Promise<void> {
  await they.putHub(c);
  await they.putCluster(c, "a");
  await they.putPlatform(c, TEAM);
  await they.putWorkflow(c);
  await c.settled();
}
const checksum = async (c: Cluster): Promise<string | undefined> =>
  (await c.get(Deployment, FLOW))?.spec.template.metadata?.annotations?.[CHECKSUM];

/** Rest, races and faults. */
export const steadiness: Scenarios = [
  {
    number: 36,
    name: "a user's properties stay as edited and roll out once",
    async run(c) {
      await teamOnShared(c);
      const at = { name: "onboard-props", namespace: "team-a" };
      const edited = "quarkus.http.port=9090\nmy.own=1\n";
      const before = await checksum(c);
      await they.assertRollouts(c, 1, () =>
        c.put(ConfigMap, at, { data: { "application.properties": edited } }),
      );
      assert.equal((await c.get(ConfigMap, at))?.data?.["application.properties"], edited);
      assert.notEqual(await checksum(c), before);
      assert.equal((await they.managedOf(c))["quarkus.http.port"], "8080");
    },
  },
  {
    number: 37,
    name: "at rest nothing is written, however often every function runs",
    async run(c) {
      await teamOnShared(c);
      const versions = async (): Promise<string[]> => {
        const kinds = [ClusterPlatform, Platform, Workflow, Deployment, Service, ConfigMap];
        const all = await Promise.all(kinds.map((kind) => c.list(kind)));
        return all
          .flat()
          .map(
            ({ kind, metadata }) =>
              `${kind} ${metadata.namespace ?? ""}/${metadata.name} ${metadata.resourceVersion}`,
          )
          .toSorted();
      };
      const before = await versions();
      for (let round = 0; round < 10; round += 1) await c.again();
      assert.deepEqual(await versions(), before);
    },
  },
  {
    number: 38,
    name: "an edit of a spec during a run survives",
    async run(c) {
      await they.putHub(c);
      await they.putCluster(c, "a");
      await Promise.all([
        they.putPlatform(c, TEAM),
        they.putPlatform(c, TEAM, { services: { dataIndex: {} }, monitoring: { enabled: true } }),
      ]);
      await they.putPlatform(c, TEAM, { services: { jobService: {} }, build: { config: { timeout: "7m" } } });
      await c.settled();
      const spec = (await c.get(Platform, TEAM))?.spec;
      assert.deepEqual(spec?.build, { config: { timeout: "7m" } });
      assert.deepEqual(Object.keys(spec?.services ?? {}), ["jobService"]);
    },
  },
  {
    number: 39,
    name: "refused writes of statuses end in the same state",
    async run(c) {
      c.failStatusWrites?.(6);
      await teamOnShared(c);
      await they.assertUses(c, CLUSTER);
      const hub = they.HUB;
      assert.deepEqual(await they.referenceOf(c), { name: "a", platformRef: hub, services: BOTH });
      for (const { status } of await c.list(Platform)) {
        const said = status?.clusterPlatformRef;
        assert.equal(said?.name === undefined, said?.platformRef === undefined);
      }
    },
  },
];
