import assert from "node:assert/strict";
import type { Cluster } from "../../../infra/testing/system/cluster.ts";
import { ConfigMap, Deployment } from "../../../shared/kube/kinds/index.ts";
import { ClusterPlatform, Platform, Workflow } from "../index.ts";
import { SECONDARY } from "../kinds/annotations.ts";
import type { Condition } from "../kinds/index.ts";

/** The words of the scenarios: what users write, and how they look at it. */
export const HUB = { name: "hub", namespace: "wf-hub" };
export const TEAM = { name: "team", namespace: "team-a" };
export const FLOW = { name: "onboard", namespace: "team-a" };
export const DATA_INDEX = "http://hub-data-index-service.wf-hub";
export const JOBS = "http://hub-jobs-service.wf-hub";
export const BOTH = { dataIndexRef: { url: DATA_INDEX }, jobServiceRef: { url: JOBS } };
const secondary = { annotations: { [SECONDARY]: "true" } };

type Tree = Readonly<Record<string, unknown>>;
export const putCluster = (
  c: Cluster,
  name: string,
  platformRef: Tree = HUB,
  more: { readonly secondary?: boolean; readonly capabilities?: Tree } = {},
): Promise<void> =>
  c.put(
    ClusterPlatform,
    { name, ...(more.secondary === true && secondary) },
    { spec: { platformRef, ...(more.capabilities !== undefined && { capabilities: more.capabilities }) } },
  );

export const putPlatform = (
  c: Cluster,
  at: { readonly name: string; readonly namespace: string },
  spec: Tree = {},
  more: { readonly secondary?: boolean } = {},
): Promise<void> => c.put(Platform, { ...at, ...(more.secondary === true && secondary) }, { spec });

export const putHub = (c: Cluster, services: Tree = { dataIndex: {}, jobService: {} }): Promise<void> =>
  putPlatform(c, HUB, { services });

export const putWorkflow = (
  c: Cluster,
  at: { readonly name: string; readonly namespace: string } = FLOW,
  profile = "gitops",
  image: string | null = "registry.example/onboard:1",
): Promise<void> =>
  c.put(
    Workflow,
    { ...at, annotations: { "sonataflow.org/profile": profile, "sonataflow.org/version": "1.0.0" } },
    {
      spec: {
        ...(image !== null && { podTemplate: { container: { image } } }),
        flow: { start: "Hello", states: [{ name: "Hello", type: "inject", data: { msg: "hi" }, end: true }] },
      },
    },
  );

type Said = Pick<Condition, "status"> & { readonly reason: string; readonly message: string };
const said = (conditions: readonly Condition[] | undefined, type: string): Said | undefined => {
  const found = conditions?.find((condition) => condition.type === type);
  return found && { status: found.status, reason: found.reason ?? "", message: found.message ?? "" };
};
export const clusterSays = async (c: Cluster, name: string): Promise<Said | undefined> =>
  said((await c.get(ClusterPlatform, { name }))?.status?.conditions, "Succeed");
export const platformSays = async (
  c: Cluster,
  at: { readonly name: string; readonly namespace: string },
): Promise<Said | undefined> => said((await c.get(Platform, at))?.status?.conditions, "Succeed");
/** The cluster's platform, as a platform's status names it. */
export const referenceOf = async (c: Cluster, at = TEAM) =>
  (await c.get(Platform, at))?.status?.clusterPlatformRef;

/** The managed properties of a workflow, by key. */
export async function managedOf(c: Cluster, at = FLOW, file = "application-prod.properties"): Promise<Tree> {
  const map = await c.get(ConfigMap, { name: `${at.name}-managed-props`, namespace: at.namespace });
  const text = map?.data?.[file];
  assert.ok(text !== undefined, `${at.name}-managed-props holds ${file}`);
  return propertiesOf(text);
}
export const propertiesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );

const DEFINITIONS = "mp.messaging.outgoing.kogito-processdefinitions-events.url";
const INSTANCES = "mp.messaging.outgoing.kogito-processinstances-events.url";
const JOB_REQUESTS = "mp.messaging.outgoing.kogito-job-service-job-request-events.url";
/** Asserts which services the properties and the status of a workflow name; undefined: none. */
export async function assertUses(
  c: Cluster,
  urls: { readonly dataIndex: string | undefined; readonly jobService: string | undefined },
  at = FLOW,
): Promise<void> {
  const { dataIndex, jobService } = urls;
  const managed = await managedOf(c, at);
  assert.equal(managed[DEFINITIONS], dataIndex && `${dataIndex}/definitions`);
  assert.equal(managed[INSTANCES], dataIndex && `${dataIndex}/processes`);
  assert.equal(managed["kogito.data-index.url"], dataIndex);
  assert.equal(managed["kogito.events.processdefinitions.enabled"], String(dataIndex !== undefined));
  assert.equal(managed["kogito.events.processinstances.enabled"], String(dataIndex !== undefined));
  assert.equal(managed["kogito.jobs-service.url"], jobService);
  assert.equal(managed[JOB_REQUESTS], `${jobService ?? "http://localhost"}/v2/jobs/events`);
  const services = (await c.get(Workflow, at))?.status?.services;
  assert.deepEqual(
    services,
    dataIndex === undefined && jobService === undefined
      ? undefined
      : {
          ...(dataIndex !== undefined && { dataIndexRef: { url: dataIndex } }),
          ...(jobService !== undefined && { jobServiceRef: { url: jobService } }),
        },
  );
}
export const NONE = { dataIndex: undefined, jobService: undefined };
export const CLUSTER = { dataIndex: DATA_INDEX, jobService: JOBS };

const REVISION = "deployment.kubernetes.io/revision";
/** The number of times that a workflow's or service's pods were rolled out: what changes of its template its Deployment has seen. */
export async function rollouts(
  c: Cluster,
  at: { readonly name: string; readonly namespace: string } = FLOW,
): Promise<number> {
  const deployment = await c.get(Deployment, at);
  assert.ok(deployment !== undefined, `Deployment ${at.namespace}/${at.name} is there`);
  // Its controller's count of templates; where no controller runs, every change of the spec counts.
  return Number(deployment.metadata.annotations[REVISION] ?? deployment.metadata.generation);
}
/** Asserts how many roll-outs a change causes, once all is settled. */
export async function assertRollouts(
  c: Cluster,
  expected: number,
  change: () => Promise<void>,
  at: { readonly name: string; readonly namespace: string } = FLOW,
): Promise<void> {
  const before = await rollouts(c, at);
  await change();
  await c.settled();
  assert.equal((await rollouts(c, at)) - before, expected, `roll-outs of ${at.namespace}/${at.name}`);
}

/** The properties of a deployed service, by key. */
export async function serviceProperties(
  c: Cluster,
  service: string,
  namespace: string,
): Promise<Record<string, string>> {
  const map = await c.get(ConfigMap, { name: `${service}-props`, namespace });
  assert.ok(map?.data?.["application.properties"] !== undefined, `${service}-props is there`);
  return propertiesOf(map.data["application.properties"]);
}
/** The main container of a deployed service or workflow. */
export async function containerOf(c: Cluster, name: string, namespace: string, container?: string) {
  const deployment = await c.get(Deployment, { name, namespace });
  const found = deployment?.spec.template.spec?.containers.find(
    (one) => container === undefined || one.name === container,
  );
  assert.ok(found !== undefined, `Deployment ${namespace}/${name} has a container`);
  return found;
}
