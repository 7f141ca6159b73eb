import { eventually } from "../../../../infra/testing/eventually.ts";
import type { KubeClient, Resource } from "../../../../shared/kube/client.ts";
import { KubeError } from "../../../../shared/kube/errors.ts";
import { type KubeObject, parseApiVersion } from "../../../../shared/kube/object.ts";
import { merge } from "../../decide/apply/merge.ts";
import type { ApplyContext, Write } from "../../decide/apply/verdict.ts";

export const context: ApplyContext = {
  mode: "Reconciling",
  owner: {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    name: "version",
    uid: "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11",
  },
  fieldManagers: ["ours"],
};

/** Applies manifests to a server as the rules say: one read, at most one write. */
export function applier(client: KubeClient) {
  const known = new Map<string, Resource>();

  async function resourceOf({ apiVersion, kind }: KubeObject): Promise<Resource> {
    const key = `${apiVersion}/${kind}`;
    const { group, version } = parseApiVersion(apiVersion);
    const found =
      known.get(key) ?? (await client.discover(group, version)).find((resource) => resource.kind === kind);
    if (found === undefined) throw new Error(`the server offers no ${key}`);
    known.set(key, found);
    return found;
  }

  const read = async (manifest: KubeObject): Promise<KubeObject | undefined> =>
    client.get(await resourceOf(manifest), manifest.metadata);

  interface Applied {
    readonly write: Write;
    readonly object: KubeObject | undefined;
  }

  /** The verdict, and the object as it is afterwards. */
  async function once(manifest: KubeObject, about: ApplyContext): Promise<Applied> {
    const resource = await resourceOf(manifest);
    const live = await read(manifest);
    const write = merge(manifest, live, about);
    const options = { fieldManager: "ours", fieldValidation: "Strict" } as const;
    if (write.write === "create")
      return { write, object: await client.create(resource, write.body, options) };
    if (write.write === "replace")
      return { write, object: await client.replace(resource, manifest.metadata, write.body, options) };
    return { write, object: live };
  }

  /** The same as `once`; decided anew where a controller of the server was faster. */
  const apply = (manifest: KubeObject, about: ApplyContext = context): Promise<Applied> =>
    eventually(`${manifest.kind} ${manifest.metadata.name} is applied`, async () => {
      try {
        return await once(manifest, about);
      } catch (error) {
        if (error instanceof KubeError && error.kind === "stale") return false;
        throw error;
      }
    });

  /** A new kind is served some moments after its definition. */
  const served = (apiVersion: string, kind: string): Promise<boolean> =>
    eventually(`${apiVersion} ${kind} is served`, async () => {
      const { group, version } = parseApiVersion(apiVersion);
      const resource = (await client.discover(group, version)).find((one) => one.kind === kind);
      if (resource === undefined) return false;
      try {
        await client.list(resource, { limit: 1 });
        return true;
      } catch (error) {
        if (error instanceof KubeError && error.retryable) return false;
        throw error;
      }
    });

  /** Somebody else's change. */
  const edit = async (manifest: KubeObject, change: unknown): Promise<KubeObject> =>
    client.patch(
      await resourceOf(manifest),
      manifest.metadata,
      Array.isArray(change) ? "json" : "merge",
      change,
      { fieldManager: "kubectl-edit" },
    );

  /** Somebody else's whole object; false where the server refuses it. */
  async function tryReplace(object: KubeObject): Promise<boolean> {
    try {
      await client.replace(await resourceOf(object), object.metadata, object, {
        fieldManager: "kubectl-edit",
      });
      return true;
    } catch (error) {
      if (error instanceof KubeError && error.kind === "invalid") return false;
      throw error;
    }
  }

  return { apply, read, edit, tryReplace, served, resourceOf };
}
