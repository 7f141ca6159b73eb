import { untilServed } from "../../infra/testing/install-crds.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { type KubeObject, parseApiVersion } from "../../shared/kube/object.ts";

interface Definition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly scope: Resource["scope"];
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

/** Applies objects of any kinds that the server has, as helm's server-side apply does. Kinds that they bring are served at the end. */
export async function applyAll(client: KubeClient, objects: readonly KubeObject[]): Promise<void> {
  const known = new Map<string, readonly Resource[]>();
  for (const object of objects) {
    const { group, version } = parseApiVersion(object.apiVersion);
    const resources = known.get(object.apiVersion) ?? (await client.discover(group, version));
    known.set(object.apiVersion, resources);
    const resource = resources.find(({ kind, plural }) => kind === object.kind && !plural.includes("/"));
    if (resource === undefined)
      throw new Error(`the API server knows no ${object.apiVersion} ${object.kind}`);
    await client.apply(resource, object.metadata, object, {
      fieldManager: "helm",
      force: true,
      fieldValidation: "Strict",
    });
  }
  for (const { spec } of objects.filter(isDefinition))
    for (const { name: version, served } of spec.versions)
      if (served) await untilServed(client, { group: spec.group, version, scope: spec.scope, ...spec.names });
}

const isDefinition = (object: KubeObject): object is Definition => object.kind === "CustomResourceDefinition";

/** A token of a ServiceAccount, as kubelet asks for it. */
export async function tokenOf(client: KubeClient, namespace: string, account: string): Promise<string> {
  const { status } = (await client.raw(
    "POST",
    `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
    {
      body: {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: { expirationSeconds: 3600 },
      },
    },
  )) as { readonly status: { readonly token: string } };
  return status.token;
}
