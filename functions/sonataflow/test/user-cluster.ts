import { eventually } from "../../../infra/testing/eventually.ts";
import type { Kind, Obj } from "../../../shared/function/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Deployment, Event, Namespace, Service } from "../../../shared/kube/kinds/index.ts";
import { apiVersionOf, type KubeObject } from "../../../shared/kube/object.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { ClusterPlatform, Platform, Workflow } from "../index.ts";
import type { At, Cluster, UserMetadata } from "./cluster.ts";

const USER = { fieldManager: "user" } as const;
const MADE = [ConfigMap, Deployment, Event, Service];

/** What users do to a cluster and see of it, whatever runs the functions. */
export interface UserCluster extends Cluster {
  /** Takes away what a scenario left. */
  empty(): Promise<void>;
}

/** A cluster as its users have it. `again` runs every key once more; both resolve when no work is left. */
export function userCluster(
  client: KubeClient,
  { settled, again }: Pick<Cluster, "settled" | "again">,
): UserCluster {
  const get = async <K extends Kind>(kind: K, at: At): Promise<Obj<K> | undefined> => {
    const raw = await client.get(resourceOf(kind), at);
    return raw === undefined ? undefined : parseObject(kind, raw);
  };
  const list = async <K extends Kind>(kind: K, namespace?: string): Promise<readonly Obj<K>[]> => {
    const { items } = await client.list(resourceOf(kind), { namespace });
    return items.map((raw) => parseObject(kind, raw));
  };
  const remove = async (kind: Kind, at: At): Promise<void> => {
    await client.delete(resourceOf(kind), at, { uid: undefined });
  };
  return {
    validates: true,
    get,
    list,
    remove,
    put: async (kind, metadata, fields = {}) => {
      const { namespace } = metadata;
      if (namespace !== undefined) await ensureNamespace(client, namespace);
      await putAsUser(client, kind, metadata, fields);
    },
    settled,
    again,
    warnings: async (reason) =>
      (await list(Event)).flatMap(({ metadata, type, reason: said, message = "" }) =>
        type === "Warning" && said === reason ? [{ namespace: metadata.namespace, message }] : [],
      ),
    // The server's times are whole seconds.
    pause: async () => {
      const second = Math.floor(Date.now() / 1000);
      await eventually("the next second", () => Math.floor(Date.now() / 1000) > second);
    },
    empty: async () => {
      for (const kind of [Workflow, ClusterPlatform, Platform])
        for (const { metadata } of await list(kind)) await remove(kind, metadata);
      await settled();
      // A workflow that lost its platform last may have had one made for it.
      for (const { metadata } of await list(Platform)) await remove(Platform, metadata);
      for (const kind of MADE)
        for (const { metadata } of await list(kind)) if (isOurs(metadata)) await remove(kind, metadata);
      await eventually(
        "everything to be gone",
        async () => {
          const left = await Promise.all(
            [...MADE, Workflow, Platform, ClusterPlatform].map((kind) => list<Kind>(kind)),
          );
          return left.flat().every(({ metadata }) => !isOurs(metadata));
        },
        30_000,
      );
      await settled();
    },
  };
}

/** As `kubectl replace` or an editor does it: an apply that leaves out an object's last field is refused by the server. */
export async function putAsUser(
  client: KubeClient,
  kind: Kind,
  metadata: UserMetadata,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const resource = resourceOf(kind);
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...fields };
  for (;;) {
    const live = await client.get(resource, metadata);
    try {
      if (live === undefined) await client.create(resource, { ...object, metadata } as KubeObject, USER);
      else {
        const { resourceVersion, uid } = live.metadata;
        const over = { ownerReferences: live.metadata.ownerReferences, ...metadata, resourceVersion, uid };
        await client.replace(resource, metadata, { ...object, metadata: over } as KubeObject, USER);
      }
      return;
    } catch (error) {
      // Somebody else was faster: a user's tool reads again.
      if (!(error instanceof KubeError && ["stale", "exists"].includes(error.kind))) throw error;
    }
  }
}

const NAMESPACES = /^(wf-|team-|x$)/;
const isOurs = ({ name, namespace }: At): boolean =>
  (namespace === undefined || NAMESPACES.test(namespace)) && name !== "kube-root-ca.crt";

/** Makes the namespace where it is not there. */
export async function ensureNamespace(client: KubeClient, name: string): Promise<void> {
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  await client.apply(resourceOf(Namespace), { name }, body, { ...USER, force: true });
}
