import { installKinds } from "../../../infra/testing/install-crds.ts";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import { type KubeObject, parseApiVersion } from "../../../shared/kube/object.ts";
import { documentsOf } from "../../../shared/manifests/documents.ts";
import { manifestName } from "../decide/manifest/index.ts";
import { CONTROL_PLANE, Kyma, ModuleReleaseMeta, ModuleTemplate, RUNTIME_NAMESPACE } from "../kinds/index.ts";
import type { LayerSource } from "../ports/components/contract.ts";
import { layerOf, OPERATOR, SYSTEM } from "./alpha-store.ts";

const GROUP = "operator.kyma-project.io";
const API = `${GROUP}/v1beta2`;
const NOW = "2026-02-03T10:00:00Z";
export const COMPONENT = "acme.com/mods/alpha-store";
export const MANIFEST = manifestName("rt-1", COMPONENT, "alpha-store");
/** The finalizers that the operator before puts on a Manifest. */
export const THEIR_FINALIZERS = [
  "declarative.kyma-project.io/finalizer",
  "label-removal-finalizer",
  "resource.kyma-project.io/finalizer",
];

/** An object, and the field manager that applied it. */
interface Applied {
  readonly by: string;
  readonly object: KubeObject;
  readonly status?: object;
  /** The metadata that others apply to it. */
  readonly marks?: readonly { readonly by: string; readonly metadata: Partial<KubeObject["metadata"]> }[];
}

/** The catalog, which no operator wrote. */
export const RELEASE = {
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
export const TEMPLATE = {
  moduleName: "alpha-store",
  version: "1.0.0",
  descriptor: {},
  manager: MANAGER,
  data: { ...RESOURCE, metadata: { name: "default" } },
};
const KYMA = { channel: "regular", modules: [{ name: "alpha-store" }] };

const condition = (type: string, reason: string) => ({
  type,
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

/** The control plane as the operator before leaves it. */
const home = (source: LayerSource): readonly Applied[] => [
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
  {
    by: `${GROUP}/lifecycle-manager`,
    marks: [
      {
        by: "declarative.kyma-project.io/applier",
        metadata: { annotations: { "sync-oci-ref": source.ref }, finalizers: THEIR_FINALIZERS.slice(0, 2) },
      },
      { by: "resource.kyma-project.io/finalizer", metadata: { finalizers: THEIR_FINALIZERS.slice(2) } },
    ],
    object: {
      apiVersion: API,
      kind: "Manifest",
      metadata: {
        name: MANIFEST,
        namespace: CONTROL_PLANE,
        labels: {
          [`${GROUP}/kyma-name`]: "rt-1",
          [`${GROUP}/module-name`]: "alpha-store",
          [`${GROUP}/channel`]: "regular",
          [`${GROUP}/controller-name`]: "",
          [`${GROUP}/managed-by`]: "lifecycle-manager",
        },
        annotations: {
          [`${GROUP}/ocm-component-name`]: COMPONENT,
          [`${GROUP}/fqdn`]: COMPONENT,
        },
      },
      spec: {
        remote: true,
        version: "1.0.0",
        install: { name: "raw-manifest", source: { ...source } },
        customResourcePolicy: "CreateAndDelete",
        resource: RESOURCE,
        manager: MANAGER,
      },
    },
    status: {
      state: "Ready",
      lastOperation: { operation: "installation is ready", lastUpdateTime: NOW },
      conditions: [
        condition("Resources", "ResourcesAvailable"),
        condition("Installation", "Ready"),
        condition("ModuleCR", "ModuleCRCreated"),
      ],
      synced: layerObjects().map(({ apiVersion, kind, metadata: { name, namespace = "" } }) => ({
        ...parseApiVersion(apiVersion),
        ...{ kind, name, namespace },
      })),
    },
  },
];

function layerObjects(): readonly KubeObject[] {
  return documentsOf(layerOf("1.0.0")).documents.map(({ value }) => value as KubeObject);
}

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
  ...[...layerObjects()]
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
            "app.kubernetes.io/component": MANIFEST,
            "app.kubernetes.io/part-of": "Kyma",
          },
          annotations: {
            ...object.metadata.annotations,
            [`deprecated-${GROUP}/owned-by`]: `${CONTROL_PLANE}/${MANIFEST}`,
            [`${GROUP}/managed-by-reconciler-disclaimer`]: "As the operator before words it.",
          },
        },
      },
    })),
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

/** Writes a landscape as the operator before leaves it: one Kyma with one module, in a runtime of its own. */
export async function writeLandscape(
  client: KubeClient,
  remote: RemoteCluster,
  source: LayerSource,
): Promise<void> {
  const [kyma, manifest] = home(source);
  if (kyma === undefined || manifest === undefined) throw new TypeError("There is a Kyma and a Manifest.");
  await installKinds(remote.client, [Kyma, ModuleTemplate, ModuleReleaseMeta]);
  for (const one of runtime()) await applied(remote.client, one);
  await applied(client, manifest, await applied(client, kyma));
}
