import type { Kind, Obj, System } from "../../../shared/function/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Event, Namespace } from "../../../shared/kube/kinds/index.ts";
import { apiVersionOf, type KubeObject } from "../../../shared/kube/object.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { eventually } from "../eventually.ts";
import type { At, Cluster, UserMetadata } from "./cluster.ts";

const USER = { fieldManager: "user" } as const;
/** Making a namespace makes it. */
const ROOT_CERTIFICATE = "kube-root-ca.crt";

/** The deeds and views of users of a cluster, whatever runs the functions. */
export interface UserCluster extends Cluster {
  /** Takes away what a scenario left. */
  empty(): Promise<void>;
}

/**
 * A cluster as the users of a system have it. `again` runs every key once more; both resolve when no work is left. What a scenario left
 * are all objects of the functions' keys, and in the namespaces that users have put something into also what functions own or tell.
 */
export function userCluster(
  client: KubeClient,
  system: System,
  { settled, again }: Pick<Cluster, "settled" | "again">,
): UserCluster {
  const keys = distinct(system.functions.map(({ key }) => key.kind)).toReversed();
  const made = distinct([...system.functions.flatMap(({ owns }) => owns), Event]);
  const namespaces = new Set<string>();
  const isLeft = ({ name, namespace }: At): boolean =>
    (namespace === undefined || namespaces.has(namespace)) && name !== ROOT_CERTIFICATE;
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
      if (namespace !== undefined) {
        namespaces.add(namespace);
        await ensureNamespace(client, namespace);
      }
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
      const removeKeys = async (): Promise<void> => {
        for (const kind of keys) for (const { metadata } of await list(kind)) await remove(kind, metadata);
      };
      await removeKeys();
      await settled();
      // What was lost last may have had something made anew.
      await removeKeys();
      for (const kind of made)
        for (const { metadata } of await list(kind)) if (isLeft(metadata)) await remove(kind, metadata);
      await eventually("everything to be gone", async () => {
        const left = await Promise.all([...made, ...keys].map((kind) => list<Kind>(kind)));
        return left.flat().every(({ metadata }) => !isLeft(metadata));
      });
      await settled();
    },
  };
}

const distinct = (kinds: readonly Kind[]): readonly Kind[] => [
  ...new Map(kinds.map((kind) => [`${kind.group}/${kind.kind}`, kind])).values(),
];

/**
 * Replaces an object as `kubectl replace` or an editor does: an apply that leaves out an object's last field is refused by the
 * server.
 */
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

/** Makes the namespace where it is not there. */
export async function ensureNamespace(client: KubeClient, name: string): Promise<void> {
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  await client.apply(resourceOf(Namespace), { name }, body, { ...USER, force: true });
}
