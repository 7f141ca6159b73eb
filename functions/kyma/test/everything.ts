import type { KubeClient } from "../../../shared/kube/client.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { compare } from "../../../shared/kube/objects.ts";

interface Groups {
  readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
}

/** Fields that tell when and by whom an object was written, not what it is. */
const OF_THE_SERVER = [
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "managedFields",
  "selfLink",
];

/** All objects of a cluster, by `Kind namespace/name`, without what its server and its controllers say of them. */
export async function everythingIn(client: KubeClient): Promise<ReadonlyMap<string, object>> {
  const { groups } = (await client.raw("GET", "/apis")) as Groups;
  const versions = ["v1", ...groups.map(({ preferredVersion }) => preferredVersion.groupVersion)];
  const found: [string, object][] = [];
  for (const groupVersion of versions) {
    const [group, version] = groupVersion.includes("/") ? groupVersion.split("/") : ["", groupVersion];
    for (const resource of await client.discover(group ?? "", version ?? "")) {
      if (resource.plural.includes("/") || resource.plural.endsWith("reviews")) continue;
      for (const one of (await client.list(resource)).items)
        found.push([
          nameOf(resource.kind, one),
          wrote({ ...one, apiVersion: groupVersion, kind: resource.kind }),
        ]);
    }
  }
  return new Map(found.sort(([one], [other]) => compare(one, other)));
}
const nameOf = (kind: string, { metadata: { name, namespace } }: KubeObject): string =>
  `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;

function wrote({ status: _, metadata, ...fields }: KubeObject): object {
  const kept = Object.entries(metadata).filter(([field]) => !OF_THE_SERVER.includes(field));
  return { ...fields, metadata: Object.fromEntries(kept) };
}
