import assert from "node:assert/strict";
import type { Cluster } from "../../../infra/testing/system/cluster.ts";
import { ConfigMap, Deployment, Service } from "../../../shared/kube/kinds/index.ts";
import { Platform, Workflow } from "../index.ts";
import { SECONDARY } from "../kinds/annotations.ts";
import * as they from "./people.ts";
import type { Scenarios } from "./scenario.ts";

const { HUB, TEAM, FLOW } = they;
const running = async (c: Cluster, at = FLOW) => {
  const said = (await c.get(Workflow, at))?.status?.conditions?.find(({ type }) => type === "Running");
  return { status: said?.status, reason: said?.reason, message: said?.message ?? "" };
};
const namesIn = async (c: Cluster, namespace: string): Promise<string[]> => {
  const all = [
    ...(await c.list(Deployment, namespace)),
    ...(await c.list(Service, namespace)),
    ...(await c.list(ConfigMap, namespace)),
  ];
  return all
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    .filter((name) => name.includes("-service"))
    .toSorted();
};

const OWNER = { apiVersion: "sonataflow.org/v1alpha08", kind: "SonataFlow" } as const;

/** Beyond the forty: what the specification marks as fixed. */
export const further: Scenarios = [
  {
    number: 41,
    name: "a platform's properties: from a ConfigMap rolled out, from a Secret referenced",
    async run(c) {
      const settings = { name: "settings", namespace: "team-a" };
      const flow = [
        { name: "plain", value: "1" },
        { name: "shared.level", valueFrom: { configMapKeyRef: { name: "settings", key: "level" } } },
        { name: "api.token", valueFrom: { secretKeyRef: { name: "creds", key: "token" } } },
      ];
      await they.putPlatform(c, TEAM, { properties: { flow } });
      await they.putWorkflow(c);
      await c.settled();
      assert.equal((await running(c)).reason, "ExternalResourcesNotFound");
      await c.put(ConfigMap, settings, { data: { level: "DEBUG" } });
      await c.settled();
      const managed = await they.managedOf(c);
      assert.equal(managed.plain, "1");
      assert.equal(managed["shared.level"], "DEBUG");
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the workflow runtime resolves it.
      assert.equal(managed["api.token"], "${FLOW_PROPERTY_API_TOKEN}");
      const { env = [] } = await they.containerOf(c, "onboard", "team-a", "workflow");
      const token = env.find(({ name }) => name === "FLOW_PROPERTY_API_TOKEN");
      assert.deepEqual(token?.valueFrom, { secretKeyRef: { name: "creds", key: "token" } });
      await they.assertRollouts(c, 1, () => c.put(ConfigMap, settings, { data: { level: "INFO" } }));
      assert.equal((await they.managedOf(c))["shared.level"], "INFO");
      await they.assertRollouts(c, 0, () =>
        c.put(ConfigMap, settings, { data: { level: "INFO", other: "x" } }),
      );
    },
  },
  {
    number: 42,
    name: "a service taken out of the spec goes, the other one stays",
    async run(c) {
      await they.putHub(c);
      await c.settled();
      assert.equal((await namesIn(c, "wf-hub")).length, 6);
      await they.putHub(c, { jobService: {} });
      await c.settled();
      const rest = [
        "ConfigMap hub-jobs-service-props",
        "Deployment hub-jobs-service",
        "Service hub-jobs-service",
      ];
      assert.deepEqual(await namesIn(c, "wf-hub"), rest);
      const types = (await c.get(Platform, HUB))?.status?.conditions?.map(({ type }) => type);
      assert.deepEqual(types, ["JobsServiceSucceed", "Succeed"]);
      await they.putPlatform(c, HUB);
      await c.settled();
      assert.deepEqual(await namesIn(c, "wf-hub"), []);
    },
  },
  {
    number: 43,
    name: "a database address that is none is said, and mended",
    async run(c) {
      const jobs = (jdbcUrl: string) =>
        they.putHub(c, {
          jobService: { persistence: { postgresql: { secretRef: { name: "s" }, jdbcUrl } } },
        });
      await jobs("me:secret@nowhere");
      await c.settled();
      const said = await they.platformSays(c, HUB);
      assert.equal(said?.reason, "Failure");
      assert.match(String(said?.message), /jobs-service: .*jdbcUrl/);
      assert.doesNotMatch(String(said?.message), /secret/);
      await jobs("jdbc:postgresql://h:1/d");
      await c.settled();
      assert.equal((await they.platformSays(c, HUB))?.status, "True");
    },
  },
  {
    number: 44,
    name: "two workflows of one name on one Data Index: the younger is told",
    async run(c) {
      await they.putHub(c);
      await they.putCluster(c, "a");
      await they.putWorkflow(c);
      await c.settled();
      assert.deepEqual(await c.warnings("DuplicateName"), []);
      await c.pause();
      await they.putWorkflow(c, { name: "onboard", namespace: "team-b" });
      await c.settled();
      const [warning, ...more] = await c.warnings("DuplicateName");
      assert.equal(warning?.namespace, "team-b");
      assert.match(String(warning?.message), /team-a/);
      assert.deepEqual(more, []);
    },
  },
  {
    number: 45,
    name: "a paused Deployment is left alone until it is resumed",
    async run(c) {
      await they.putPlatform(c, TEAM);
      await they.putWorkflow(c);
      await c.settled();
      const paused = async (is: boolean): Promise<void> => {
        const { spec } = (await c.get(Deployment, FLOW)) ?? assert.fail();
        const { annotations, labels } = (await c.get(Deployment, FLOW))?.metadata ?? assert.fail();
        await c.put(Deployment, { ...FLOW, annotations, labels }, { spec: { ...spec, paused: is } });
      };
      await paused(true);
      await c.settled();
      const before = (await c.get(Deployment, FLOW))?.spec.template;
      await c.put(
        ConfigMap,
        { name: "onboard-props", namespace: "team-a" },
        { data: { "application.properties": "a=1" } },
      );
      await c.settled();
      assert.deepEqual((await c.get(Deployment, FLOW))?.spec.template, before);
      assert.match((await running(c)).message, /paused/);
      await paused(false);
      await c.settled();
      assert.notDeepEqual((await c.get(Deployment, FLOW))?.spec.template, before);
      assert.equal((await running(c)).status, "True");
    },
  },
  {
    number: 46,
    name: "a workflow without an image says so",
    async run(c) {
      await they.putPlatform(c, TEAM);
      await they.putWorkflow(c, FLOW, "preview", null);
      await c.settled();
      const { status, reason, message } = await running(c);
      assert.deepEqual([status, reason], ["False", "WaitingForBuild"]);
      assert.match(message, /image/);
      assert.equal(await c.get(Deployment, FLOW), undefined);
    },
  },
  {
    number: 47,
    name: "a hub that is refused a change keeps what it shares",
    async run(c) {
      const broken = { persistence: { postgresql: { secretRef: { name: "s" }, jdbcUrl: "nowhere" } } };
      await they.putHub(c, { jobService: {} });
      await they.putCluster(c, "a");
      await they.putPlatform(c, TEAM);
      await they.putWorkflow(c);
      await c.settled();
      const shared = async () => (await c.get(Platform, TEAM))?.status?.clusterPlatformRef?.services;
      const before = await shared();
      assert.ok(before?.jobServiceRef !== undefined);
      await they.assertRollouts(c, 0, () => they.putHub(c, { jobService: broken }));
      assert.equal((await they.platformSays(c, HUB))?.reason, "Failure");
      assert.deepEqual(await shared(), before);
      const said = await they.clusterSays(c, "a");
      assert.equal(said?.status, "True");
      assert.match(String(said?.message), /'wf-hub\/hub' not ready/);
      await they.assertRollouts(c, 0, () => they.putHub(c, { jobService: {} }));
      assert.deepEqual(await shared(), before);
      assert.match(String((await they.clusterSays(c, "a"))?.message), /is ready$/);
    },
  },
  {
    number: 48,
    name: "a platform that has the name of the empty one and is secondary is left alone, and said",
    async run(c) {
      const at = { name: "sonataflow-platform", namespace: "team-a" };
      const spec = { services: {} };
      await c.put(Platform, { ...at, annotations: { [SECONDARY]: "true" } }, { spec });
      await they.putWorkflow(c);
      await c.settled();
      const { reason, message } = await running(c);
      assert.equal(reason, "WaitingForPlatform");
      assert.match(message, /sonataflow-platform is secondary/);
      await c.put(Platform, { ...at, annotations: {} }, { spec });
      await c.settled();
      assert.equal((await running(c)).status, "True");
    },
  },
  {
    number: 49,
    name: "an image that the operator before built is kept for as long as its Deployment is there",
    async run(c) {
      await they.putPlatform(c, TEAM);
      await they.putWorkflow(c, FLOW, "preview", null);
      await c.settled();
      const uid = (await c.get(Workflow, FLOW))?.metadata.uid;
      const ownerReferences = [{ ...OWNER, name: FLOW.name, uid, controller: true }];
      const labels = { app: "onboard" };
      const containers = [{ name: "workflow", image: "registry.example/built:0.0.1" }];
      const template = { metadata: { labels }, spec: { containers } };
      const spec = { replicas: 1, selector: { matchLabels: labels }, template };
      await c.put(Deployment, { ...FLOW, ownerReferences }, { spec });
      await c.settled();
      const built = async () => (await they.containerOf(c, "onboard", "team-a", "workflow")).image;
      assert.equal(await built(), "registry.example/built:0.0.1");
      assert.equal((await running(c)).status, "True");
      assert.ok(await c.get(Service, FLOW));
      await they.putWorkflow(c, FLOW, "preview", "registry.example/mine:1");
      await c.settled();
      assert.equal(await built(), "registry.example/mine:1");
      await they.putWorkflow(c, FLOW, "preview", null);
      await c.remove(Deployment, FLOW);
      await c.settled();
      assert.equal((await running(c)).reason, "WaitingForBuild");
    },
  },
];
