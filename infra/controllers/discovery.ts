import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";

/** A kind that the server stores, with what it can do. */
export interface StoredKind {
  readonly resource: Resource;
  readonly verbs: readonly string[];
}

interface ApiResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}
interface ApiGroupList {
  readonly groups?: readonly {
    readonly name: string;
    readonly versions: readonly { readonly version: string }[];
    readonly preferredVersion?: { readonly version: string };
  }[];
}

/** All kinds that can be listed and deleted, each once, in its group's preferred version where that has it. */
export async function storedKinds(client: KubeClient): Promise<readonly StoredKind[]> {
  const { groups = [] } = (await client.raw("GET", "/apis")) as ApiGroupList;
  const versions = [
    { group: "", version: "v1" },
    ...groups.flatMap(({ name, versions, preferredVersion }) => {
      const all = versions.map(({ version }) => version);
      const ordered = preferredVersion === undefined ? all : [preferredVersion.version, ...all];
      return [...new Set(ordered)].map((version) => ({ group: name, version }));
    }),
  ];
  const found = new Map<string, StoredKind>();
  const lists = await Promise.all(
    versions.map(async ({ group, version }) => {
      const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
      return { group, version, list: (await client.raw("GET", path)) as ApiResourceList };
    }),
  );
  for (const { group, version, list } of lists)
    for (const { name: plural, kind, namespaced, verbs } of list.resources ?? []) {
      if (plural.includes("/") || !verbs.includes("list") || !verbs.includes("delete")) continue;
      const resource: Resource = {
        group,
        version,
        kind,
        plural,
        scope: namespaced ? "Namespaced" : "Cluster",
      };
      const key = kindKey(resource);
      if (!found.has(key)) found.set(key, { resource, verbs });
    }
  return [...found.values()];
}

/** One kind, whatever its version. */
export const kindKey = ({ group, kind }: { readonly group: string; readonly kind: string }): string =>
  `${kind}.${group}`;

interface DefinitionSpec {
  readonly group: string;
  readonly scope: string;
  readonly names: { readonly kind: string; readonly plural: string };
  readonly versions: readonly {
    readonly name: string;
    readonly served: boolean;
    readonly storage: boolean;
  }[];
}

/** The resource of an established CRD that is not being deleted; undefined where there is nothing to ask for. */
export function resourceOfDefinition(definition: KubeObject): Resource | undefined {
  const { spec, status } = definition as {
    spec?: DefinitionSpec;
    status?: { conditions?: readonly { type: string; status: string }[] };
  };
  const established = status?.conditions?.some(
    ({ type, status: value }) => type === "Established" && value === "True",
  );
  if (spec === undefined || established !== true) return undefined;
  const version =
    spec.versions.find(({ served, storage }) => served && storage) ??
    spec.versions.find(({ served }) => served);
  if (version === undefined) return undefined;
  return {
    group: spec.group,
    version: version.name,
    kind: spec.names.kind,
    plural: spec.names.plural,
    scope: spec.scope === "Cluster" ? "Cluster" : "Namespaced",
  };
}
