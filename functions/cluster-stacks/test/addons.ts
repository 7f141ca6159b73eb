import assert from "node:assert/strict";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import { releaseFiles, type TestAddons } from "../decide/assets/test-release.ts";
import { Cluster } from "../kinds/index.ts";
import { DockerCluster } from "./kinds.ts";
import { type Stage, TEAM, tag } from "./stage.ts";

const MAPS = resourceOf(ConfigMap);
/** The namespace of addons. */
export const SYSTEM = "kube-system";
/** The version of Kubernetes of what is offered. */
export const KUBERNETES = "v1.27.3";

/** The template of a ConfigMap. */
export const map = (name: string, value = "1"): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata: {value: "${value}"}\n`;
/** The template of an empty Secret. */
export const secret = (name: string): string => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\n`;
/** Addons that are these objects. */
export const addonsOf = (...objects: readonly string[]): TestAddons => ({
  addons: { "templates/all.yaml": objects.join("---\n") },
});

/** Publishes releases with these addons, and offers them. */
export async function offer(s: Stage, releases: Readonly<Record<string, TestAddons>>): Promise<void> {
  for (const [version, addons] of Object.entries(releases))
    s.source.put(tag(version), await releaseFiles(tag(version), { kubernetes: KUBERNETES, ...addons }));
  await s.wants({ versions: Object.keys(releases), autoSubscribe: false });
}

/** Creates a Cluster of a class with its infrastructure, or changes its class. */
export async function cluster(
  s: Stage,
  version: string,
  {
    name = "demo",
    infrastructure = true,
    paused = false,
    settle = true,
  }: {
    readonly name?: string;
    readonly infrastructure?: boolean;
    readonly paused?: boolean;
    readonly settle?: boolean;
  } = {},
): Promise<void> {
  if (infrastructure) await s.put(DockerCluster, { name, namespace: TEAM }, { spec: { loadBalancer: name } });
  const infrastructureRef = {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "DockerCluster",
    name,
  };
  const topology = { class: tag(version), version: KUBERNETES };
  await s.put(
    Cluster,
    { name, namespace: TEAM },
    {
      spec: {
        topology,
        infrastructureRef,
        controlPlaneEndpoint: { host: "10.0.0.1", port: 6443 },
        ...(paused && { paused }),
      },
    },
  );
  if (settle) await s.settled();
}

/** Resolves once the addons of a version are installed. */
export const ready = (s: Stage, version: string, name = "demo"): Promise<void> =>
  s.until(`the addons of ${version}`, async () => {
    const found = await s.addon(name);
    return found?.status?.ready === true && found.spec?.clusterStack === tag(version);
  });

export const condition = async (s: Stage, type: string, name = "demo") =>
  (await s.addon(name))?.status?.conditions?.find((one) => one.type === type);

const EVERYWHERE = [
  "kube-root-ca.crt",
  "extension-apiserver-authentication",
  "kube-apiserver-legacy-service-account-token-tracking",
];
/** The names of the ConfigMaps of a workload cluster. */
export const names = async (
  { client }: RemoteCluster,
  resource: Resource = MAPS,
): Promise<readonly string[]> =>
  (await client.list(resource, { namespace: SYSTEM })).items
    .map(({ metadata }) => metadata.name)
    .filter((name) => !EVERYWHERE.includes(name))
    .sort();

/** The versions of the ConfigMaps of a workload cluster by their names. */
export const versions = async ({ client }: RemoteCluster): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await client.list(MAPS, { namespace: SYSTEM })).items.map(({ metadata: { name, resourceVersion } }) => {
      assert.ok(resourceVersion !== undefined);
      return [name, resourceVersion];
    }),
  );
