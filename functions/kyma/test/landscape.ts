import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import { type KubeObject, parseApiVersion } from "../../../shared/kube/object.ts";
import { documentsOf } from "../../../shared/manifests/documents.ts";
import { manifestName } from "../decide/manifest/index.ts";
import { CONTROL_PLANE, ModuleReleaseMeta, ModuleTemplate, RUNTIME_NAMESPACE } from "../kinds/index.ts";
import type { LayerSource } from "../ports/components/contract.ts";
import { layerOf, OPERATOR, SYSTEM } from "./alpha-store.ts";

const GROUP = "operator.kyma-project.io";
const API = `${GROUP}/v1beta2`;
const NOW = "2026-02-03T10:00:00Z";
export const COMPONENT = "acme.com/mods/alpha-store";
export const MANIFEST = manifestName("rt-1", COMPONENT, "alpha-store");
/** The module that each cluster gets. */
export const FOR_ALL = "acme.com/mods/audit";
export const MANIFEST_FOR_ALL = manifestName("rt-1", FOR_ALL, "audit");
export const LAYER_FOR_ALL =
  "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: audit, namespace: default}\ndata: {of: audit}\n";
/** The finalizers that the operator before puts on a Manifest. */
export const THEIR_FINALIZERS = [
  "declarative.kyma-project.io/finalizer",
  "label-removal-finalizer",
  "resource.kyma-project.io/finalizer",
];

/** Its finalizers beside these. */
export const MODULE_FINALIZER = `${GROUP}/mandatory-module`;
export const WATCHER_FINALIZER = `${GROUP}/watcher`;

/** An object, and the field manager that applied it. */
interface Applied {
  readonly by: string;
  readonly object: KubeObject;
  readonly status?: object;
  /** The metadata that others apply to it. */
  readonly marks?: readonly { readonly by: string; readonly metadata: Partial<KubeObject["metadata"]> }[];
}

const RELEASE = {
  moduleName: "alpha-store",
  ocmComponentName: COMPONENT,
  channels: [{ channel: "regular", version: "1.0.0" }],
};
const RESOURCE = {
  apiVersion: "store.acme.test/v1",
  kind: "AlphaStore",
  metadata: { name: "default", namespace: RUNTIME_NAMESPACE },
  spec: { replicas: 2 },
};
const MANAGER = { group: "apps", version: "v1", kind: "Deployment", name: OPERATOR, namespace: SYSTEM };
const TEMPLATE = {
  moduleName: "alpha-store",
  version: "1.0.0",
  descriptor: {},
  manager: MANAGER,
  data: { ...RESOURCE, metadata: { name: "default" } },
};
/** The catalog, which no operator wrote. */
export const CATALOG: readonly (readonly [kind: Kind, name: string, spec: object])[] = [
  [ModuleReleaseMeta, "alpha-store", RELEASE],
  [ModuleTemplate, "alpha-store-1.0.0", TEMPLATE],
  [
    ModuleReleaseMeta,
    "audit",
    { moduleName: "audit", ocmComponentName: FOR_ALL, mandatory: { version: "1.0.0" } },
  ],
  [ModuleTemplate, "audit-1.0.0", { moduleName: "audit", version: "1.0.0", descriptor: {} }],
];
const WATCHER = {
  manager: "lifecycle-manager",
  resourceToWatch: { group: GROUP, version: "*", resource: "kymas" },
  labelsToWatch: { [`${GROUP}/watched-by`]: "kyma" },
  field: "spec",
  serviceInfo: { name: "klm-controller-manager-events", namespace: CONTROL_PLANE, port: 8082 },
  gateway: { selector: { matchLabels: { [`${GROUP}/watcher-gateway`]: "default" } } },
};
const KYMA = { channel: "regular", modules: [{ name: "alpha-store" }] };

const condition = (type: string, reason: string) => ({
  ...{ type, observedGeneration: 1 },
  status: "True",
  reason,
  message: `${type} as the operator before words it`,
  lastTransitionTime: NOW,
});
const tracked = (kind: string, name: string) => ({
  apiVersion: API,
  kind,
  metadata: { name, namespace: CONTROL_PLANE, generation: 1 },
});

const KYMA_STATUS = {
  state: "Ready",
  activeChannel: "regular",
  lastOperation: { operation: "kyma is ready", lastUpdateTime: NOW },
  conditions: ["Modules", "ModuleCatalog", "CRDsSync"].map((type) => condition(type, "Ready")),
  modules: [
    {
      name: "alpha-store",
      ocmComponentName: COMPONENT,
      fqdn: COMPONENT,
      channel: "regular",
      version: "1.0.0",
      state: "Ready",
      maintenance: false,
      manifest: tracked("Manifest", MANIFEST),
      template: tracked("ModuleTemplate", "alpha-store-1.0.0"),
      resource: { apiVersion: RESOURCE.apiVersion, kind: RESOURCE.kind, metadata: RESOURCE.metadata },
    },
  ],
};

/** The layers of the two modules. */
export interface LayerSources {
  readonly module: LayerSource;
  readonly forAll: LayerSource;
}

/** The control plane as the operator before leaves it: the Kyma comes first, then what it owns. */
const home = (sources: LayerSources): readonly [Applied, ...Applied[]] => [
  {
    by: "lifecycle-manager",
    object: {
      apiVersion: API,
      kind: "Kyma",
      metadata: {
        name: "rt-1",
        namespace: CONTROL_PLANE,
        labels: { "kyma-project.io/runtime-id": "rt-1", [`${GROUP}/managed-by`]: "lifecycle-manager" },
        annotations: { "skr-domain": "rt-1.example.test" },
        finalizers: [`${GROUP}/Kyma`],
      },
      spec: KYMA,
    },
    status: KYMA_STATUS,
  },
  manifestLeft({
    ...{ module: "alpha-store", component: COMPONENT, source: sources.module, layer: layerOf("1.0.0") },
    labels: { [`${GROUP}/channel`]: "regular" },
    spec: { resource: RESOURCE, manager: MANAGER },
  }),
  manifestLeft({
    ...{ module: "audit", component: FOR_ALL, source: sources.forAll, layer: LAYER_FOR_ALL },
    labels: { [`${GROUP}/mandatory-module`]: "true" },
    spec: {},
  }),
  {
    by: "kubectl",
    object: {
      apiVersion: API,
      kind: "Watcher",
      metadata: {
        name: "watcher",
        namespace: CONTROL_PLANE,
        labels: { [`${GROUP}/managed-by`]: "lifecycle-manager" },
      },
      spec: WATCHER,
    },
    status: { state: "Ready", observedGeneration: 1, conditions: [condition("VirtualService", "Ready")] },
    marks: [{ by: "lifecycle-manager", metadata: { finalizers: [WATCHER_FINALIZER] } }],
  },
  {
    by: "kubectl",
    object: {
      apiVersion: API,
      kind: "ModuleReleaseMeta",
      metadata: { name: "audit", namespace: CONTROL_PLANE },
      spec: { moduleName: "audit", ocmComponentName: FOR_ALL, mandatory: { version: "1.0.0" } },
    },
    marks: [{ by: "lifecycle-manager", metadata: { finalizers: [MODULE_FINALIZER] } }],
  },
];

/** The Manifest of a module that is installed. */
function manifestLeft({
  module,
  component,
  source,
  layer,
  labels,
  spec,
}: {
  readonly module: string;
  readonly component: string;
  readonly source: LayerSource;
  readonly layer: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: { readonly resource?: object; readonly manager?: object };
}): Applied {
  const [first = "", second = "", third = ""] = THEIR_FINALIZERS;
  return {
    by: `${GROUP}/lifecycle-manager`,
    marks: [
      {
        by: "declarative.kyma-project.io/applier",
        metadata: { annotations: { "sync-oci-ref": source.ref }, finalizers: [first, second] },
      },
      ...(spec.resource === undefined
        ? []
        : [{ by: "resource.kyma-project.io/finalizer", metadata: { finalizers: [third] } }]),
    ],
    object: {
      apiVersion: API,
      kind: "Manifest",
      metadata: {
        name: manifestName("rt-1", component, module),
        namespace: CONTROL_PLANE,
        labels: {
          [`${GROUP}/kyma-name`]: "rt-1",
          [`${GROUP}/module-name`]: module,
          [`${GROUP}/controller-name`]: "",
          [`${GROUP}/managed-by`]: "lifecycle-manager",
          ...labels,
        },
        annotations: {
          [`${GROUP}/ocm-component-name`]: component,
          [`${GROUP}/fqdn`]: component,
        },
      },
      spec: {
        remote: true,
        version: "1.0.0",
        install: { name: "raw-manifest", source: { ...source } },
        customResourcePolicy: "CreateAndDelete",
        ...spec,
      },
    },
    status: {
      state: "Ready",
      lastOperation: { operation: "installation is ready", lastUpdateTime: NOW },
      conditions: [
        condition("Resources", "ResourcesAvailable"),
        condition("Installation", "Ready"),
        ...(spec.resource === undefined ? [] : [condition("ModuleCR", "ModuleCRCreated")]),
      ],
      synced: objectsIn(layer).map(({ apiVersion, kind, metadata: { name, namespace = "" } }) => ({
        ...parseApiVersion(apiVersion),
        ...{ kind, name, namespace },
      })),
    },
  };
}

const objectsIn = (layer: string): readonly KubeObject[] =>
  documentsOf(layer).documents.map(({ value }) => value as KubeObject);

/** The objects of a module as they are applied to the runtime: Namespaces first. */
const installedBy = (manifest: string, layer: string): readonly Applied[] =>
  [...objectsIn(layer)]
    .sort((one, other) => Number(other.kind === "Namespace") - Number(one.kind === "Namespace"))
    .map((object) => ({
      by: "declarative.kyma-project.io/applier",
      object: {
        ...object,
        metadata: {
          ...object.metadata,
          labels: {
            ...object.metadata.labels,
            [`${GROUP}/managed-by`]: "kyma",
            "app.kubernetes.io/component": manifest,
            "app.kubernetes.io/part-of": "Kyma",
          },
          annotations: {
            ...object.metadata.annotations,
            [`deprecated-${GROUP}/owned-by`]: `${CONTROL_PLANE}/${manifest}`,
            [`${GROUP}/managed-by-reconciler-disclaimer`]: "As the operator before words it.",
          },
        },
      },
    }));

/** The runtime as the operator before leaves it. */
const runtime = (): readonly Applied[] => [
  {
    by: "lifecycle-manager",
    object: {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: {
        name: RUNTIME_NAMESPACE,
        labels: {
          "istio-injection": "enabled",
          "namespaces.warden.kyma-project.io/validate": "enabled",
          [`${GROUP}/managed-by`]: "kyma",
        },
      },
    },
  },
  {
    by: "kyma-sync-context",
    object: {
      apiVersion: API,
      kind: "Kyma",
      metadata: {
        name: "default",
        namespace: RUNTIME_NAMESPACE,
        labels: {
          "kyma-project.io/runtime-id": "rt-1",
          [`${GROUP}/managed-by`]: "kyma",
          [`${GROUP}/watched-by`]: "kyma",
        },
        annotations: { [`deprecated-${GROUP}/owned-by`]: `${CONTROL_PLANE}/rt-1` },
      },
      spec: KYMA,
    },
    status: {
      ...KYMA_STATUS,
      modules: KYMA_STATUS.modules.map(({ manifest: _, template, ...rest }) => ({
        ...rest,
        template: { ...template, metadata: { ...template.metadata, namespace: RUNTIME_NAMESPACE } },
      })),
    },
  },
  ...(
    [
      ["ModuleReleaseMeta", "alpha-store", RELEASE],
      ["ModuleTemplate", "alpha-store-1.0.0", TEMPLATE],
    ] as const
  ).map(([kind, name, spec]) => ({
    by: "catalog-sync",
    object: {
      apiVersion: API,
      kind,
      metadata: { name, namespace: RUNTIME_NAMESPACE, labels: { [`${GROUP}/managed-by`]: "kyma" } },
      spec,
    },
  })),
  ...installedBy(MANIFEST, layerOf("1.0.0")),
  ...installedBy(MANIFEST_FOR_ALL, LAYER_FOR_ALL),
  { by: "lifecycle-manager", object: RESOURCE },
];

/** Writes an object as those field managers apply it, with its status. */
async function applied(
  client: KubeClient,
  { by, object, status, marks = [] }: Applied,
  owner?: KubeObject,
): Promise<KubeObject> {
  const { apiVersion, kind, metadata } = object;
  const { group, version } = parseApiVersion(apiVersion);
  const resources = await client.discover(group, version);
  const resource = resources.find((one) => one.kind === kind && !one.plural.includes("/")) as Resource;
  const { name, namespace } = metadata;
  const place = { name, ...(namespace !== undefined && { namespace }) };
  const write = (manager: string, fields: Partial<KubeObject>, subresource?: "status"): Promise<KubeObject> =>
    client.apply(
      resource,
      place,
      { apiVersion, kind, ...fields, metadata: { ...fields.metadata, ...place } },
      { fieldManager: manager, force: true, subresource },
    );
  const owners = owner === undefined ? {} : { ownerReferences: [ownerOf(owner)] };
  let written = await write(by, { ...object, metadata: { ...metadata, ...owners } });
  for (const mark of marks) written = await write(mark.by, { metadata: { name, ...mark.metadata } });
  return status === undefined ? written : write(by, { status }, "status");
}
const ownerOf = ({ apiVersion, kind, metadata: { name, uid = "" } }: KubeObject) => ({
  ...{ apiVersion, kind, name, uid },
  controller: true,
  blockOwnerDeletion: true,
});

/** Writes a landscape as the operator before leaves it, and as it writes it once more when it is back: one Kyma with two modules, in a runtime of its own. */
export async function writeLandscape(
  client: KubeClient,
  remote: RemoteCluster,
  sources: LayerSources,
): Promise<void> {
  const [kyma, ...others] = home(sources);
  for (const one of runtime()) await applied(remote.client, one);
  const owner = await applied(client, kyma);
  for (const one of others) await applied(client, one, one.object.kind === "Manifest" ? owner : undefined);
}
