import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import type { PublishedVersion, Stage } from "./stage.ts";

/** The namespace of the module's operator. */
export const SYSTEM = "alpha-system";
/** The namespace of its own object. */
export const KYMA_SYSTEM = "kyma-system";

const namespaced = (group: string, version: string, kind: string, plural: string): Resource => ({
  ...{ group, version, kind, plural },
  scope: "Namespaced",
});
export const STORES = namespaced("store.acme.test", "v1", "AlphaStore", "alphastores");
export const DEPLOYMENTS = namespaced("apps", "v1", "Deployment", "deployments");
export const MAPS = namespaced("", "v1", "ConfigMap", "configmaps");
export const DEFINITIONS: Resource = {
  ...namespaced("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions"),
  scope: "Cluster",
};
export const NAMESPACES: Resource = { ...namespaced("", "v1", "Namespace", "namespaces"), scope: "Cluster" };

const USER = { fieldManager: "user", force: true } as const;
/** The name of its Deployment. */
export const OPERATOR = "alpha-store-operator";

/** The ConfigMap that tells the version, and more of them. */
export const map = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${SYSTEM}}\ndata: {value: "${value}"}\n`;

/** The definition of a kind of the group of modules. */
export const definition = (kind: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${kind.toLowerCase()}s.store.acme.test}
spec:
  group: store.acme.test
  scope: Namespaced
  names: {kind: ${kind}, plural: ${kind.toLowerCase()}s, singular: ${kind.toLowerCase()}, listKind: ${kind}List}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;
const operator = (version: string, selector: string, outcome: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${OPERATOR}, namespace: ${SYSTEM}, annotations: {simulator.reveille.dev/outcome: ${outcome}}}
spec:
  selector: {matchLabels: {app: ${selector}}}
  template:
    metadata: {labels: {app: ${selector}}}
    spec: {containers: [{name: manager, image: "registry.test/dev/alpha-store:${version}"}]}
`;

/** The layer of a module that has an operator, a kind of its own, and two ConfigMaps. */
export const layerOf = (
  version: string,
  { maps = ["one"], selector = "alpha", outcome = "ready" } = {},
): string =>
  [
    operator(version, selector, outcome),
    definition("AlphaStore"),
    `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${SYSTEM}}\n`,
    map("version", version),
    ...maps.map((name) => map(name, "1")),
  ].join("---\n");

/** A version of the module alpha-store. */
export const alphaStore = (
  version: string,
  options: Parameters<typeof layerOf>[1] = {},
): PublishedVersion => ({
  module: "alpha-store",
  version,
  layer: layerOf(version, options),
  template: {
    manager: { group: "apps", version: "v1", kind: "Deployment", name: OPERATOR, namespace: SYSTEM },
    data: {
      apiVersion: "store.acme.test/v1",
      kind: "AlphaStore",
      metadata: { name: "default" },
      spec: { replicas: 2 },
    },
  },
});

/** Publishes 1.0.0 of the module, has a Kyma want it, and starts its runtime. */
export async function enabled(
  s: Stage,
  {
    policy,
    version = alphaStore("1.0.0"),
  }: { readonly policy?: string; readonly version?: PublishedVersion } = {},
): Promise<RemoteCluster> {
  const remote = await s.runtime("rt-1", { controllers: true });
  await ensureNamespaceThere(remote, KYMA_SYSTEM);
  await s.publish(version);
  await s.release("alpha-store", { regular: version.version });
  await wanted(s, { ...(policy !== undefined && { customResourcePolicy: policy }) });
  return remote;
}
/** Has the Kyma want the module, with these fields. */
export const wanted = (s: Stage, fields: Readonly<Record<string, unknown>> = {}): Promise<void> =>
  s.wants({ modules: [{ name: "alpha-store", ...fields }] });
/** Has the Kyma want no module. */
export const unwanted = (s: Stage): Promise<void> => s.wants({ modules: [] });

/** The same, and its operator is up. */
export async function installed(
  s: Stage,
  options: Parameters<typeof enabled>[1] = {},
): Promise<RemoteCluster> {
  const remote = await enabled(s, options);
  await ready(s);
  return remote;
}

/** Resolves once the module is installed, in that version where one is given. */
export const ready = (s: Stage, version?: string): Promise<void> =>
  s.until(`the module${version === undefined ? "" : ` in version ${version}`} to be ready`, async () => {
    const { spec, status } = (await s.manifest("alpha-store")) ?? {};
    return status?.state === "Ready" && (version ?? spec?.version) === spec?.version;
  });
/** Resolves once the Manifest is in that state, and says something like it. */
export const said = (s: Stage, state: string, pattern = /(?:)/): Promise<void> =>
  s.until(`the Manifest to be ${state} and to say ${pattern.source}`, async () => {
    const { status } = (await s.manifest("alpha-store")) ?? {};
    return status?.state === state && pattern.test(status.lastOperation?.operation ?? "");
  });
/** Resolves once the module has gone from its runtime. */
export const uninstalled = (s: Stage): Promise<void> =>
  s.until("the Manifest to be gone", async () => (await s.manifest("alpha-store")) === undefined);

/** Creates a namespace there. */
export const ensureNamespaceThere = (remote: RemoteCluster, name: string): Promise<unknown> =>
  remote.client.apply(
    NAMESPACES,
    { name },
    { apiVersion: "v1", kind: "Namespace", metadata: { name } },
    USER,
  );

/** The operator's Deployment. */
export const operatorThere = (remote: RemoteCluster): Promise<KubeObject | undefined> =>
  remote.client.get(DEPLOYMENTS, { name: OPERATOR, namespace: SYSTEM });

/** Creates an object of the module's kind, as a user does. */
export const store = (
  remote: RemoteCluster,
  name: string,
  { namespace = KYMA_SYSTEM, spec = {} }: { readonly namespace?: string; readonly spec?: object } = {},
): Promise<unknown> =>
  remote.client.apply(
    STORES,
    { name, namespace },
    { apiVersion: "store.acme.test/v1", kind: "AlphaStore", metadata: { name, namespace }, spec },
    USER,
  );
/** Deletes one, and waits for what follows. */
export async function gone(
  s: Stage,
  remote: RemoteCluster,
  resource: Resource,
  name: string,
  namespace: string,
) {
  await remote.client.delete(resource, { name, namespace }, { uid: undefined });
  await s.settled();
}

const OTHERS = ["kube-root-ca.crt"];
/** The objects of the module that stand in a runtime, as `Kind name`. */
export async function standing({ client }: RemoteCluster): Promise<readonly string[]> {
  const definitions = (await client.list(DEFINITIONS)).items.filter(({ metadata }) =>
    metadata.name.endsWith(".store.acme.test"),
  );
  const stores = definitions.some(({ metadata }) => metadata.name.startsWith("alphastores."))
    ? (await client.list(STORES)).items
    : [];
  const namespaces = (await client.list(NAMESPACES)).items.filter(({ metadata }) => metadata.name === SYSTEM);
  const [deployments, maps] = await Promise.all(
    [DEPLOYMENTS, MAPS].map(async (resource) => (await client.list(resource, { namespace: SYSTEM })).items),
  );
  return [
    ...definitions.map(({ metadata }) => `CustomResourceDefinition ${metadata.name}`),
    ...stores.map(({ metadata }) => `AlphaStore ${metadata.name}`),
    ...namespaces.map(({ metadata }) => `Namespace ${metadata.name}`),
    ...(deployments ?? []).map(({ metadata }) => `Deployment ${metadata.name}`),
    ...(maps ?? []).flatMap(({ metadata }) =>
      OTHERS.includes(metadata.name) ? [] : [`ConfigMap ${metadata.name}`],
    ),
  ].sort();
}

/** The image of the operator that stands in a runtime. */
export async function imageThere(remote: RemoteCluster): Promise<string | undefined> {
  const spec = (await operatorThere(remote))?.spec as
    | { template: { spec: { containers: readonly { image: string }[] } } }
    | undefined;
  return spec?.template.spec.containers[0]?.image;
}
