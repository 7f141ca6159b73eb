import assert from "node:assert/strict";
import type { Cluster } from "../../../infra/testing/system/cluster.ts";
import { ConfigMap, Deployment, Service } from "../../../shared/kube/kinds/index.ts";
import { Platform } from "../index.ts";
import * as they from "./people.ts";
import type { Scenarios } from "./scenario.ts";

const { HUB, TEAM } = they;
const SECRET = { secretRef: { name: "pg-creds" } };
const REACTIVE = "quarkus.datasource.reactive.url";
const says = async (
  c: Cluster,
  at: { readonly name: string; readonly namespace: string },
): Promise<string> => {
  const said = await they.platformSays(c, at);
  return `${said?.status}/${said?.reason}`;
};
const env = async (c: Cluster, name: string, namespace: string): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    ((await they.containerOf(c, name, namespace)).env ?? []).map((one) => [
      one.name,
      one.value ?? one.valueFrom?.secretKeyRef,
    ]),
  );

/** The platforms of a namespace and what they deploy. */
export const platform: Scenarios = [
  {
    number: 12,
    name: "a platform that starts is waited for, and its service's health is told apart",
    async run(c) {
      await they.putCluster(c, "a");
      await c.settled();
      await they.putHub(c);
      await c.settled();
      assert.equal((await they.clusterSays(c, "a"))?.status, "True");
      const { conditions = [] } = (await c.get(Platform, HUB))?.status ?? {};
      assert.deepEqual(
        conditions.map(({ type, status }) => `${type}=${status}`),
        ["DataIndexSucceed=True", "JobsServiceSucceed=True", "Succeed=True"],
      );
    },
  },
  {
    number: 27,
    name: "the newer of two platforms deploys nothing until the older goes",
    async run(c) {
      const newer = { name: "newer", namespace: "team-a" };
      await they.putPlatform(c, TEAM, { services: { dataIndex: {} } });
      await c.settled();
      await they.putPlatform(c, newer, { services: { dataIndex: {} } });
      await c.settled();
      assert.deepEqual(await they.platformSays(c, newer), {
        status: "False",
        reason: "Duplicated",
        message: "",
      });
      assert.equal(
        await c.get(Deployment, { name: "newer-data-index-service", namespace: "team-a" }),
        undefined,
      );
      await c.remove(Platform, TEAM);
      await c.settled();
      assert.equal(await says(c, newer), "True/");
      assert.ok(await c.get(Deployment, { name: "newer-data-index-service", namespace: "team-a" }));
    },
  },
  {
    number: 28,
    name: "of two platforms made at once exactly one becomes ready",
    async run(c) {
      const two = [TEAM, { name: "twin", namespace: "team-a" }];
      await Promise.all(two.map((at) => they.putPlatform(c, at, { services: { dataIndex: {} } })));
      await c.settled();
      const verdicts = await Promise.all(two.map((at) => says(c, at)));
      assert.deepEqual(verdicts.toSorted(), ["False/Duplicated", "True/"]);
      assert.equal((await c.list(Deployment, "team-a")).length, 1);
    },
  },
  {
    number: 31,
    name: "a database by its Service",
    async run(c) {
      const persistence = { postgresql: { ...SECRET, serviceRef: { name: "pg" } } };
      await they.putHub(c, { dataIndex: { persistence }, jobService: { persistence } });
      await c.settled();
      const dataIndex = await env(c, "hub-data-index-service", "wf-hub");
      assert.equal(
        dataIndex.QUARKUS_DATASOURCE_JDBC_URL,
        "jdbc:postgresql://pg.wf-hub:5432/sonataflow?currentSchema=hub-data-index-service",
      );
      assert.deepEqual(dataIndex.QUARKUS_DATASOURCE_USERNAME, { name: "pg-creds", key: "POSTGRESQL_USER" });
      assert.deepEqual(dataIndex.QUARKUS_DATASOURCE_PASSWORD, {
        name: "pg-creds",
        key: "POSTGRESQL_PASSWORD",
      });
      assert.match(
        String((await they.containerOf(c, "hub-data-index-service", "wf-hub")).image),
        /data-index-postgresql/,
      );
      assert.match(
        String((await they.containerOf(c, "hub-jobs-service", "wf-hub")).image),
        /jobs-service-postgresql/,
      );
      const jobs = await they.serviceProperties(c, "hub-jobs-service", "wf-hub");
      assert.equal(jobs[REACTIVE], "postgresql://pg.wf-hub:5432/sonataflow?search_path=hub-jobs-service");
    },
  },
  {
    number: 32,
    name: "the platform's database is inherited, a service's own address wins",
    async run(c) {
      const persistence = { postgresql: { ...SECRET, serviceRef: { name: "pg" } } };
      await they.putPlatform(c, HUB, { persistence, services: { jobService: { persistence: {} } } });
      await c.settled();
      const inherited = await env(c, "hub-jobs-service", "wf-hub");
      assert.equal(
        inherited.QUARKUS_DATASOURCE_JDBC_URL,
        "jdbc:postgresql://pg.wf-hub:5432/sonataflow?currentSchema=hub-jobs-service",
      );
      const jdbcUrl = "jdbc:postgresql://elsewhere:5433/db?currentSchema=mine&ssl=true";
      const own = { postgresql: { ...SECRET, jdbcUrl } };
      await they.putPlatform(c, HUB, { persistence, services: { jobService: { persistence: own } } });
      await c.settled();
      assert.equal((await env(c, "hub-jobs-service", "wf-hub")).QUARKUS_DATASOURCE_JDBC_URL, jdbcUrl);
      const jobs = await they.serviceProperties(c, "hub-jobs-service", "wf-hub");
      assert.equal(jobs[REACTIVE], "postgresql://elsewhere:5433/db?search_path=mine");
    },
  },
  {
    number: 33,
    name: "another database changes environment and reactive URL together, with one restart",
    async run(c) {
      const hub = (name: string) =>
        they.putHub(c, { jobService: { persistence: { postgresql: { ...SECRET, serviceRef: { name } } } } });
      await hub("pg");
      await c.settled();
      const at = { name: "hub-jobs-service", namespace: "wf-hub" };
      await they.assertRollouts(c, 1, () => hub("other"), at);
      assert.match(
        String((await env(c, at.name, at.namespace)).QUARKUS_DATASOURCE_JDBC_URL),
        /\/\/other\.wf-hub:/,
      );
      assert.match(
        String((await they.serviceProperties(c, at.name, at.namespace))[REACTIVE]),
        /\/\/other\.wf-hub:/,
      );
    },
  },
  {
    number: 34,
    name: "a user's variable is added, the operator's stays",
    async run(c) {
      const variables = [
        { name: "QUARKUS_DATASOURCE_PASSWORD", value: "mine" },
        { name: "MY_CUSTOM_VARIABLE", value: "x" },
      ];
      const persistence = { postgresql: { ...SECRET, serviceRef: { name: "pg" } } };
      await they.putHub(c, { dataIndex: { persistence, podTemplate: { container: { env: variables } } } });
      await c.settled();
      const set = await env(c, "hub-data-index-service", "wf-hub");
      assert.deepEqual(set.QUARKUS_DATASOURCE_PASSWORD, { name: "pg-creds", key: "POSTGRESQL_PASSWORD" });
      assert.equal(set.MY_CUSTOM_VARIABLE, "x");
      assert.equal(Object.keys(set).at(-1), "MY_CUSTOM_VARIABLE");
    },
  },
  {
    number: 35,
    name: "the Jobs Service is a singleton",
    async run(c) {
      const replicas = async (name: string, asked: number): Promise<number | undefined> => {
        const service = { podTemplate: { replicas: asked } };
        await they.putHub(c, { dataIndex: service, jobService: service });
        await c.settled();
        return (await c.get(Deployment, { name, namespace: "wf-hub" }))?.spec.replicas;
      };
      assert.equal(await replicas("hub-jobs-service", 2), 1);
      assert.equal(await replicas("hub-jobs-service", 0), 0);
      assert.equal(await replicas("hub-data-index-service", 2), 2);
    },
  },
  {
    number: 40,
    name: "what is deleted comes back, what belongs to another is left alone",
    async run(c) {
      await they.putHub(c, { dataIndex: {} });
      await c.settled();
      const at = { name: "hub-data-index-service", namespace: "wf-hub" };
      await c.remove(Service, at);
      await c.remove(Deployment, at);
      await c.settled();
      assert.ok(await c.get(Service, at));
      assert.ok(await c.get(Deployment, at));
      const theirs = { name: "team-jobs-service", namespace: "team-a" };
      await c.put(ConfigMap, { name: "owner", namespace: "team-a" }, { data: {} });
      const uid = (await c.get(ConfigMap, { name: "owner", namespace: "team-a" }))?.metadata.uid;
      const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid, controller: true }];
      const spec = { ports: [{ port: 7 }], selector: { theirs: "yes" } };
      await c.put(Service, { ...theirs, ownerReferences }, { spec });
      await they.putPlatform(c, TEAM, { services: { jobService: {} } });
      await c.settled();
      assert.equal(await says(c, TEAM), "False/Failure");
      assert.match(String((await they.platformSays(c, TEAM))?.message), /team-jobs-service/);
      assert.deepEqual((await c.get(Service, theirs))?.spec?.selector, { theirs: "yes" });
      await c.remove(Service, theirs);
      await c.settled();
      assert.equal(await says(c, TEAM), "True/");
    },
  },
];
