import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { crdObject } from "../../../infra/testing/install-crds.ts";
import type { Conformance, JudgedObject } from "../../../infra/testing/system/index.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import { apiVersionOf, type KubeObject } from "../../../shared/kube/object.ts";
import { Kyma, KymaPolicy, Manifest, ModuleReleaseMeta, ModuleTemplate, Watcher } from "../kinds/index.ts";

/** A folder with upstream's CRDs and samples; undefined: the tests are skipped. */
export const folder =
  process.env.CONFORMANCE_DATA === undefined ? undefined : join(process.env.CONFORMANCE_DATA, "kyma");

/** The kinds that upstream has as well. */
export const SHARED_KINDS: readonly Kind[] = [Kyma, Manifest, ModuleReleaseMeta, ModuleTemplate, Watcher];

/** Upstream's CRD of a kind, with the version that is served. */
export function theirCrd(kind: Kind): KubeObject {
  const text = readFileSync(
    join(folder ?? "", "crds", `operator.kyma-project.io_${kind.plural}.yaml`),
    "utf8",
  );
  const crd = parse(text);
  const served = crd.spec.versions.filter(({ name }: { readonly name: string }) => name === kind.version);
  return { ...crd, spec: { ...crd.spec, versions: served } };
}

/** Every object of upstream's kinds in its samples. */
const samples = (): readonly JudgedObject[] =>
  globSync("samples/**/*.yaml", { cwd: folder ?? "" })
    .sort()
    .flatMap((file) =>
      parseAllDocuments(readFileSync(join(folder ?? "", file), "utf8")).flatMap((document, index) => {
        const object: Partial<KubeObject> | string | null = document.toJS();
        if (object === null || typeof object === "string") return [];
        const kind = SHARED_KINDS.find(
          (one) => one.kind === object.kind && apiVersionOf(one) === object.apiVersion,
        );
        return kind === undefined
          ? []
          : [{ title: `${file} ${index + 1}`, kind, object, valid: true as const }];
      }),
    );

type Tree = Readonly<Record<string, unknown>>;
const NOW = "2026-02-03T10:00:00Z";
const condition = (type: string): Tree => ({
  type,
  status: "True",
  reason: "Ready",
  message: "",
  lastTransitionTime: NOW,
});
const tracked = (kind: string, name: string): Tree => ({
  apiVersion: "operator.kyma-project.io/v1beta2",
  kind,
  metadata: { name, namespace: "kcp-system", generation: 3 },
});
const kyma = (spec: Tree): Tree => ({ spec: { channel: "regular", ...spec } });
const module = (module: Tree): Tree => kyma({ modules: [{ name: "alpha-store", ...module }] });
const release = (spec: Tree): Tree => ({ spec: { moduleName: "alpha-store", ...spec } });
const template = (spec: Tree): Tree => ({ spec: { descriptor: {}, ...spec } });
const SOURCE = {
  type: "oci-ref",
  repo: "registry.example.test",
  name: "acme.com/mods/alpha",
  ref: "sha256:0",
};
const install = { name: "raw-manifest", source: SOURCE };
const manifest = (spec: Tree): Tree => ({ spec: { remote: true, install, ...spec } });
const policy = (spec: Tree): Tree => ({ spec });
const WATCHED = {
  resourceToWatch: { group: "operator.kyma-project.io", version: "*", resource: "kymas" },
  field: "spec",
  serviceInfo: { name: "events", namespace: "kcp-system", port: 8082 },
  gateway: { selector: { matchLabels: { a: "b" } } },
};
const watcher = (spec: Tree): Tree => ({ spec: { ...WATCHED, ...spec } });
const workload = { group: "apps", version: "v1", kind: "Deployment", name: "alpha" };
const store = {
  apiVersion: "store.acme.com/v1",
  kind: "Store",
  metadata: { name: "default" },
  spec: { a: [1] },
};
const long = "a".repeat(33);

/** Objects as upstream's program writes them, and at the edge of what the schemas allow. */
const EDGES: readonly JudgedObject[] = [
  {
    title: "a Kyma that was seen",
    kind: Kyma,
    object: kyma({
      skipMaintenanceWindows: true,
      modules: [
        { name: "alpha-store", channel: "fast", customResourcePolicy: "Ignore", managed: false },
        { name: "mesh-core", controller: "c", remoteModuleTemplateRef: "r" },
      ],
    }),
    status: {
      state: "Warning",
      activeChannel: "regular",
      lastOperation: { operation: "waiting", lastUpdateTime: NOW },
      conditions: [condition("Modules"), condition("SKRWebhook")],
      modules: [
        {
          name: "alpha-store",
          ocmComponentName: "acme.com/mods/alpha-store",
          fqdn: "acme.com/mods/alpha-store",
          channel: "fast",
          version: "1.5.0",
          message: "",
          state: "Unmanaged",
          manifest: tracked("Manifest", "m"),
          template: tracked("ModuleTemplate", "t"),
          resource: tracked("Store", "default"),
        },
        { name: "mesh-core", state: "" },
      ],
    },
    valid: true,
  },
  { title: "a Kyma without a spec", kind: Kyma, object: {}, valid: true },
  { title: "a Kyma without a channel", kind: Kyma, object: { spec: {} } },
  { title: "a Kyma of a channel of two letters", kind: Kyma, object: kyma({ channel: "ab" }) },
  { title: "a Kyma of a long channel", kind: Kyma, object: kyma({ channel: long }) },
  { title: "a Kyma of the channel none", kind: Kyma, object: kyma({ channel: "none" }), valid: true },
  { title: "a module without a name", kind: Kyma, object: kyma({ modules: [{ channel: "fast" }] }) },
  { title: "a module of a channel in capitals", kind: Kyma, object: module({ channel: "Fast" }) },
  { title: "a module of another policy", kind: Kyma, object: module({ customResourcePolicy: "Delete" }) },
  {
    title: "a module twice",
    kind: Kyma,
    object: kyma({ modules: [{ name: "alpha-store" }, { name: "alpha-store" }] }),
  },
  { title: "a Kyma in another state", kind: Kyma, object: kyma({}), status: { state: "Suspended" } },
  { title: "a module without a state", kind: Kyma, object: kyma({}), status: { modules: [{ name: "a" }] } },
  {
    title: "a Kyma whose modules change",
    kind: Kyma,
    object: module({}),
    afterwards: kyma({ modules: [{ name: "mesh-core" }] }),
    valid: true,
  },
  {
    title: "releases in channels",
    kind: ModuleReleaseMeta,
    object: release({
      ocmComponentName: "acme.com/mods/alpha-store",
      channels: [
        { channel: "regular", version: "1.4.2" },
        { channel: "fast", version: "1.5.0-rc1" },
      ],
      beta: true,
      kymaSelector: { matchExpressions: [{ key: "a", operator: "Exists" }] },
    }),
    valid: true,
  },
  {
    title: "a mandatory release",
    kind: ModuleReleaseMeta,
    object: release({ mandatory: { version: "1.0.0-a.1+b" } }),
    valid: true,
  },
  {
    title: "a mandatory release with channels",
    kind: ModuleReleaseMeta,
    object: release({ mandatory: { version: "1.0.0" }, channels: [] }),
  },
  { title: "releases of nothing", kind: ModuleReleaseMeta, object: release({}) },
  {
    title: "a channel twice",
    kind: ModuleReleaseMeta,
    object: release({
      channels: [
        { channel: "fast", version: "1.0.0" },
        { channel: "fast", version: "1.1.0" },
      ],
    }),
  },
  {
    title: "a release with build metadata",
    kind: ModuleReleaseMeta,
    object: release({ channels: [{ channel: "fast", version: "1.0.0+b" }] }),
  },
  {
    title: "a component without a path",
    kind: ModuleReleaseMeta,
    object: release({ channels: [], ocmComponentName: "acme.com" }),
  },
  {
    title: "a template with everything",
    kind: ModuleTemplate,
    object: template({
      moduleName: "alpha-store",
      version: "1.4.2",
      channel: "",
      mandatory: false,
      requiresDowntime: true,
      data: store,
      manager: { ...workload, namespace: "alpha-system" },
      descriptor: { component: { name: "a", resources: [{ name: "raw-manifest" }] } },
      info: { repository: "r", documentation: "d", icons: [{ name: "i", link: "l" }] },
      resources: [{ name: "raw", link: "https://example.test/raw.yaml" }],
      associatedResources: [{ group: "store.acme.com", version: "v1", kind: "Store" }],
      customStateCheck: [{ jsonPath: "status.x", value: "y", mappedState: "Ready" }],
    }),
    valid: true,
  },
  { title: "a template without a descriptor", kind: ModuleTemplate, object: { spec: {} } },
  {
    title: "a template of no module",
    kind: ModuleTemplate,
    object: template({ moduleName: "", version: "" }),
    valid: true,
  },
  {
    title: "a template of a module with a digit",
    kind: ModuleTemplate,
    object: template({ moduleName: "abc1" }),
  },
  { title: "a template whose data has no kind", kind: ModuleTemplate, object: template({ data: { a: 1 } }) },
  {
    title: "a template of a dotted pre-release",
    kind: ModuleTemplate,
    object: template({ version: "1.0.0-a.b" }),
  },
  {
    title: "a template with a link that is none",
    kind: ModuleTemplate,
    object: template({ resources: [{ name: "a", link: "not a link" }] }),
  },
  {
    title: "a manifest with everything",
    kind: Manifest,
    object: manifest({
      version: "1.4.2",
      config: {
        type: "oci-ref",
        repo: "r",
        name: "n",
        ref: "x",
        credSecretSelector: { matchLabels: { a: "b" } },
      },
      customResourcePolicy: "Ignore",
      localizedImages: ["registry.example.test/a:1"],
      manager: workload,
      resource: store,
    }),
    status: {
      state: "Ready",
      lastOperation: { operation: "installation is ready" },
      conditions: [condition("Resources"), condition("Installation")],
      synced: [{ group: "", version: "v1", kind: "Service", name: "a", namespace: "b" }],
    },
    valid: true,
  },
  {
    title: "a manifest whose object is null",
    kind: Manifest,
    object: manifest({ resource: null }),
    valid: true,
  },
  { title: "a manifest that installs nothing", kind: Manifest, object: { spec: { remote: true } } },
  { title: "a manifest without a place", kind: Manifest, object: { spec: { install } } },
  {
    title: "a synced object without a namespace",
    kind: Manifest,
    object: manifest({}),
    status: { state: "Ready", synced: [{ group: "", version: "v1", kind: "Node", name: "a" }] },
  },
  { title: "a manifest without a state", kind: Manifest, object: manifest({}), status: { synced: [] } },
  {
    title: "a watcher",
    kind: Watcher,
    object: watcher({ manager: "lifecycle-manager", labelsToWatch: { a: "b" } }),
    status: { state: "Ready", observedGeneration: 2, conditions: [condition("VirtualService")] },
    valid: true,
  },
  { title: "a watcher of another field", kind: Watcher, object: watcher({ field: "metadata" }) },
  { title: "a watcher of no gateway", kind: Watcher, object: watcher({ gateway: undefined }) },
  {
    title: "a policy with everything",
    kind: KymaPolicy,
    object: policy({
      selector: { matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] },
      rank: -3,
      enforce: [
        { module: "mesh-core", channel: "regular", managed: true, allowDowngrade: true },
        { module: "alpha-store", version: "1.0.0", customResourcePolicy: "Ignore" },
      ],
      deny: ["beta"],
      allowChannels: ["regular"],
      maxModules: 0,
      defaults: [{ module: "gamma", channel: "fast" }],
    }),
    status: { observedGeneration: 1, accepted: { rank: 0 }, conditions: [condition("Accepted")] },
    valid: true,
  },
  { title: "a policy of nothing", kind: KymaPolicy, object: policy({}), valid: true },
  {
    title: "a watcher whose service has no port",
    kind: Watcher,
    object: watcher({ serviceInfo: { name: "a", namespace: "b" } }),
  },
];

/** Our CRDs beside upstream's: the same objects are taken, refused and kept. */
export const objectsOfUpstream: Conformance = {
  name: "the lifecycle-manager's objects",
  theirs:
    folder === undefined
      ? undefined
      : new Map([
          ...SHARED_KINDS.map((kind) => [kind, () => theirCrd(kind)] as const),
          // Upstream has none: ours is to be one that a server takes, and judges by.
          [KymaPolicy, () => crdObject(KymaPolicy)] as const,
        ]),
  keepsTheSame: true,
  objects: [...(folder === undefined ? [] : samples()), ...EDGES],
};
