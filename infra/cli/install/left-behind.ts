import { PAUSED_FUNCTIONS } from "../../../shared/host/commands/index.ts";
import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { FORMER_NAMESPACE, HOME_NAMESPACE } from "../../../shared/kube/home.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Lease, Secret } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import type { KnownFunction, KnownKind } from "../../systems/declared.ts";
import { EXTENSION_CONFIGS } from "../../systems/extension-config.ts";
import { watcherLease } from "../../systems/rbac.ts";
import { configurationResource, WEBHOOKS_SECRET } from "../../systems/webhooks.ts";
import { crdResource } from "./crds.ts";

/** An object in a cluster, and where requests about it go. */
export interface Found {
  readonly resource: Resource;
  readonly object: KubeObject;
}
/** An object that is kept by finalizers of functions. */
export interface Held extends Found {
  readonly finalizers: readonly string[];
}

const FINALIZER_DOMAIN = "reveille.dev/";

/** Every object of these kinds and of those whose CRDs Reveille wrote, by its metadata. */
export async function knownObjects(
  client: KubeClient,
  kinds: readonly KnownKind[],
): Promise<readonly Found[]> {
  const resources = new Map<string, Resource>();
  for (const kind of [...kinds, ...(await installedCrds(client)).map(servedBy)])
    resources.set(`${kind.group}/${kind.kind}`, kind);
  const found = await Promise.all(
    [...resources.values()].map(async (resource) =>
      (await listed(client, resource)).map(
        (object): Found => ({ resource, object: { ...object, kind: resource.kind } }),
      ),
    ),
  );
  return found.flat();
}

/** Objects with finalizers of ours that none of these functions serves: their deletion would never end. */
export function heldAmong(
  objects: readonly Found[],
  known: readonly KnownFunction[],
  served: readonly KnownFunction[],
): readonly Held[] {
  const ours = new Set(known.flatMap(({ finalizer }) => finalizer ?? []));
  const answered = new Set(served.flatMap(({ finalizer }) => finalizer ?? []));
  return objects.flatMap((found) => {
    const finalizers = (found.object.metadata.finalizers ?? []).filter(
      (name) => (ours.has(name) || name.startsWith(FINALIZER_DOMAIN)) && !answered.has(name),
    );
    return finalizers.length === 0 ? [] : [{ ...found, finalizers }];
  });
}

/** CRDs that Reveille wrote. */
export async function installedCrds(client: KubeClient): Promise<readonly KubeObject[]> {
  return (await listed(client, crdResource, false)).filter(({ metadata }) =>
    (metadata.managedFields ?? []).some(({ manager }) => manager === "reveille"),
  );
}

/** The resource that a CRD defines, in the version that it stores. */
export function servedBy(crd: KubeObject): Resource {
  const spec = crd.spec as {
    readonly group: string;
    readonly scope: Resource["scope"];
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
  };
  const version = spec.versions.find(({ storage }) => storage)?.name ?? "";
  const scope = spec.scope === "Namespaced" ? "Namespaced" : "Cluster";
  return { group: spec.group, version, kind: spec.names.kind, plural: spec.names.plural, scope };
}

const rbac = (kind: string, plural: string, scope: Resource["scope"]): Resource => ({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind,
  plural,
  scope,
});
const core = (kind: string, plural: string, scope: Resource["scope"]): Resource => ({
  group: "",
  version: "v1",
  kind,
  plural,
  scope,
});
const LEASES = resourceOf(Lease);
const LABELLED: readonly Resource[] = [
  LEASES,
  EXTENSION_CONFIGS,
  configurationResource({ kind: "MutatingWebhookConfiguration" }),
  configurationResource({ kind: "ValidatingWebhookConfiguration" }),
  rbac("ClusterRoleBinding", "clusterrolebindings", "Cluster"),
  rbac("ClusterRole", "clusterroles", "Cluster"),
  rbac("RoleBinding", "rolebindings", "Namespaced"),
  rbac("Role", "roles", "Namespaced"),
  core("ServiceAccount", "serviceaccounts", "Namespaced"),
  core("Namespace", "namespaces", "Cluster"),
];

/** True for what makes the API server or Cluster API ask: nothing can be written, or goes on, while nobody answers. */
export const isWebhook = ({ resource }: Found): boolean =>
  resource.kind.endsWith("WebhookConfiguration") || resource.kind === EXTENSION_CONFIGS.kind;

/** Webhook configurations, the ExtensionConfig, their Secret, roles, bindings, accounts and Leases of hosts of ours (by their label), the watcher's Lease, and what says which functions are paused. */
export async function labelledObjects(client: KubeClient): Promise<readonly Found[]> {
  const found = await Promise.all(
    LABELLED.map(async (resource) =>
      (await listed(client, resource, true, "app.kubernetes.io/part-of=reveille")).map((object) => ({
        resource,
        object,
      })),
    ),
  );
  const shared = await Promise.all(
    [HOME_NAMESPACE, FORMER_NAMESPACE]
      .flatMap((namespace) => [
        { resource: LEASES, place: { ...watcherLease, namespace } },
        { resource: resourceOf(ConfigMap), place: { namespace, name: PAUSED_FUNCTIONS } },
        { resource: resourceOf(Secret), place: { namespace, name: WEBHOOKS_SECRET } },
      ])
      .map(async ({ resource, place }): Promise<readonly Found[]> => {
        const object = await client.get(resource, place);
        return object === undefined ? [] : [{ resource, object }];
      }),
  );
  return [...shared, ...found].flat();
}

async function listed(
  client: KubeClient,
  resource: Resource,
  metadataOnly = true,
  labelSelector?: string,
): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = [];
  try {
    for await (const page of client.pages(resource, { metadataOnly, labelSelector }))
      objects.push(...page.items);
  } catch (thrown) {
    // A kind that the cluster does not have holds nothing.
    if (!(thrown instanceof KubeError && thrown.kind === "kindMissing")) throw thrown;
  }
  return objects;
}

/** Takes finalizers off an object, whatever else became of it meanwhile. Throws a `KubeError`. */
export async function releaseFinalizers(
  client: KubeClient,
  { resource, object, finalizers }: Held,
): Promise<void> {
  const { name, namespace, uid } = object.metadata;
  const place = { name, namespace };
  for (;;) {
    const now = await client.get(resource, place, { metadataOnly: true });
    if (now === undefined || now.metadata.uid !== uid) return;
    const left = (now.metadata.finalizers ?? []).filter((one) => !finalizers.includes(one));
    try {
      await client.patch(
        resource,
        place,
        "json",
        [
          { op: "test", path: "/metadata/resourceVersion", value: now.metadata.resourceVersion },
          { op: "replace", path: "/metadata/finalizers", value: left },
        ],
        { fieldManager: "reveille", metadataOnly: true },
      );
      return;
    } catch (thrown) {
      if (!(thrown instanceof KubeError && thrown.kind === "stale")) throw thrown;
    }
  }
}
