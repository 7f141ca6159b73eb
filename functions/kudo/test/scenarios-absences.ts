import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, StatefulSet } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { Instance } from "../index.ts";
import { DATABASE, plan } from "./operators.ts";
import { dataOf, deployed, UPGRADE, VERSION } from "./scenarios-start.ts";
import { SHOP } from "./shop.ts";
import type { Stage } from "./stage.ts";

/** Starting plans after a time in which nobody ran functions, and after upstream ran them. */
export const absences: readonly Scenario<Stage>[] = [
  {
    number: 6,
    name: "a parameter that changed while nothing ran has its plan run once",
    async run(s) {
      await deployed(s);
      await s.whileAway(() => s.edit({ parameters: { SIZE: "2" } }));
      await s.settled();
      const { status } = await s.instance();
      assert.equal(status?.planStatus?.scale?.status, "COMPLETE");
      assert.equal(status?.executions, 2);
      assert.deepEqual(await dataOf(s), { plan: "scale", size: "2", color: "red" });
    },
  },
  {
    number: 7,
    name: "a version and a parameter that changed while nothing ran are consumed by one upgrade",
    async run(s) {
      await deployed(s);
      const plans = { ...DATABASE.plans, upgrade: plan("config: config", "nodes: nodes") };
      await s.version(UPGRADE.operatorVersion.name, {
        ...DATABASE,
        version: "0.4.0",
        appVersion: "15.0",
        plans,
      });
      await s.whileAway(async () => {
        await s.edit(UPGRADE);
        await s.edit({ parameters: { SIZE: "2" } });
      });
      await s.settled();
      const { status } = await s.instance();
      assert.equal(status?.executions, 2);
      assert.equal(status?.lastSucceeded?.planName, "upgrade");
      assert.deepEqual(await dataOf(s), { plan: "upgrade", size: "2", color: "red" });
    },
  },
  {
    number: 8,
    name: "a restart, and all events ten times over, write nothing",
    async run(s) {
      await deployed(s);
      const versions = async () => {
        const all = [
          await s.instance(),
          await s.find(ConfigMap, "db-config"),
          await s.find(StatefulSet, "db"),
        ];
        return all.map((one) => one?.metadata.resourceVersion);
      };
      const before = await versions();
      const runs = s.stack.runs().length;
      await s.whileAway(async () => undefined);
      await s.settled();
      for (let time = 0; time < 10; time += 1) await s.again();
      assert.deepEqual(await versions(), before);
      const since = s.stack.runs().slice(runs);
      assert.ok(since.length >= 10, `only ${since.length} runs`);
      assert.deepEqual(
        since.flatMap(({ writes }) => writes.filter(({ sent }) => sent)),
        [],
      );
    },
  },
  {
    number: 39,
    name: "an Instance that upstream handled so far goes on where it is",
    async run(s) {
      await s.version(VERSION.operatorVersion.name, DATABASE);
      await s.whileAway(async () => {
        await s.create(VERSION);
        await s.handled({
          deploy: {
            name: "deploy",
            uid: "theirs",
            status: "COMPLETE",
            lastUpdatedTimestamp: "2020-05-05T10:00:00Z",
          },
        });
      });
      await s.settled();
      const { status } = await s.instance();
      assert.equal(status?.executions, 0);
      assert.equal(status?.lastStarted?.planUID, "theirs");
      assert.equal(await dataOf(s), undefined);
      await s.edit({ parameters: { SIZE: "2" } });
      await s.settled();
      assert.equal((await s.plan("scale"))?.status, "COMPLETE");
      assert.equal((await s.plan("deploy"))?.uid, "theirs");
    },
  },
  {
    number: 39,
    name: "what upstream applied is taken over with its fields by the next change, and not before",
    async run(s) {
      const spec = { ...VERSION, parameters: { SIZE: "1" } };
      await s.version(VERSION.operatorVersion.name, DATABASE);
      await s.whileAway(async () => {
        await s.put(
          Instance,
          {
            ...{ name: "db", namespace: SHOP },
            annotations: { "kudo.dev/last-applied-instance-state": JSON.stringify(spec) },
          },
          { spec },
        );
        await s.handled({
          deploy: {
            ...{ name: "deploy", uid: "theirs", status: "COMPLETE" },
            lastUpdatedTimestamp: "2020-05-05T10:00:00Z",
          },
        });
        const { uid } = (await s.instance()).metadata;
        for (const object of appliedByUpstream(uid))
          await s.stack.client.create(
            resourceOf(object.kind === "ConfigMap" ? ConfigMap : StatefulSet),
            object,
            { fieldManager: "manager" },
          );
        await s.patch(ConfigMap, "db-config", { data: { mine: "yes" } });
      });
      await s.settled();
      const { status } = await s.instance();
      assert.equal(status?.executions, 0);
      assert.deepEqual(status?.lastStarted?.parameters, spec.parameters);
      assert.deepEqual(await dataOf(s), { ...THEIRS, mine: "yes" });
      await s.edit({ parameters: { SIZE: "2" } });
      await s.settled();
      assert.equal((await s.plan("scale"))?.status, "COMPLETE");
      assert.equal((await s.plan("deploy"))?.uid, "theirs");
      // What the template no longer says goes, though only upstream ever said it; what a user said stays.
      assert.deepEqual(await dataOf(s), { plan: "scale", size: "2", color: "red", mine: "yes" });
      for (const [kind, name] of [
        [ConfigMap, "db-config"],
        [StatefulSet, "db"],
      ] as const) {
        const { metadata } = (await s.find(kind, name)) ?? assert.fail(`${name} is gone`);
        assert.equal(metadata.annotations?.[LAST_APPLIED], undefined);
        const managers = metadata.managedFields
          ?.filter(({ subresource }) => subresource === undefined)
          .map(({ manager, operation }) => `${manager} ${operation}`);
        assert.ok(managers?.includes("reveille-kudo-instances Apply"), String(managers));
        assert.ok(!managers?.includes("manager Update"), String(managers));
      }
      const spread: unknown = (await s.find(StatefulSet, "db"))?.spec;
      assert.equal(JSON.stringify(spread).includes('"replicas":2'), true);
    },
  },
];

const LAST_APPLIED = "kudo.dev/last-applied-configuration";
const THEIRS = { plan: "deploy", size: "1", color: "red", old: "x" };

/** The objects of the database as upstream's manager left them, with a key that the template had then. */
function appliedByUpstream(uid: string): readonly KubeObject[] {
  const owner = { apiVersion: "kudo.dev/v1beta1", kind: "Instance", name: "db", uid };
  const object = (apiVersion: string, kind: string, name: string, fields: object): KubeObject => {
    const metadata = {
      ...{ name, namespace: SHOP },
      labels: { heritage: "kudo", "kudo.dev/instance": "db", "kudo.dev/operator": "pgmini" },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    };
    const annotations = { [LAST_APPLIED]: JSON.stringify({ apiVersion, kind, metadata, ...fields }) };
    return { apiVersion, kind, metadata: { ...metadata, annotations }, ...fields };
  };
  const labels = { app: "db" };
  const container = {
    ...{ name: "main", image: "example.org/db:14.2" },
    envFrom: [{ configMapRef: { name: "db-config" } }],
  };
  return [
    object("v1", "ConfigMap", "db-config", { data: THEIRS }),
    object("apps/v1", "StatefulSet", "db", {
      spec: {
        ...{ serviceName: "db", replicas: 1, selector: { matchLabels: labels } },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    }),
  ];
}
