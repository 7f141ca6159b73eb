import { parseAllDocuments } from "yaml";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { type KubeObject, parseApiVersion } from "../../shared/kube/object.ts";

/** Applies objects, or YAML that holds several, server-side as `kubectl` would; it asks the server for each kind once. */
export function applierTo(
  client: KubeClient,
): (objects: string | KubeObject | readonly KubeObject[]) => Promise<readonly KubeObject[]> {
  const resources = new Map<string, Resource>();
  const resourceOf = async ({ apiVersion, kind }: KubeObject): Promise<Resource> => {
    const name = `${apiVersion} ${kind}`;
    const known = resources.get(name);
    if (known !== undefined) return known;
    const { group, version } = parseApiVersion(apiVersion);
    const found = (await client.discover(group, version)).find(
      (resource) => resource.kind === kind && !resource.plural.includes("/"),
    );
    if (found === undefined) throw new Error(`the API server knows no ${name}`);
    resources.set(name, found);
    return found;
  };
  return async (objects) => {
    const list =
      typeof objects === "string"
        ? parseYaml(objects)
        : "kind" in objects
          ? [objects as KubeObject]
          : objects;
    const applied: KubeObject[] = [];
    for (const object of list)
      applied.push(
        await client.apply(await resourceOf(object), object.metadata, object, {
          fieldManager: "test",
          force: true,
        }),
      );
    return applied;
  };
}

const parseYaml = (text: string): KubeObject[] =>
  parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const object = document.toJS() as KubeObject | null;
    return object === null ? [] : [object];
  });
