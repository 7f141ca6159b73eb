import { fieldOf, fieldsOf, textOf } from "../../../shared/json/fields.ts";
import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { PLAYER, resourceOfReference } from "./resources.ts";

/** An object of a Cluster that was made of a template of its class. */
export interface Made {
  readonly resource: Resource;
  readonly object: KubeObject;
}

const SUFFIX = "Template";
/** Cluster API's own annotation: the template that an object was made of. */
const CLONED_FROM = "cluster.x-k8s.io/cloned-from-name";

/**
 * The object of a Cluster that a class's reference to a template means. It is made where it is missing, and follows the template where the
 * Cluster moved to another class; the version of one that is there stays. Undefined: there is no such template.
 */
export async function makeOf(
  client: KubeClient,
  cluster: KubeObject,
  reference: unknown,
  version?: string,
): Promise<Made | undefined> {
  const { apiVersion, kind, name: from, namespace } = fieldsOf(reference);
  if (!textOf(kind).endsWith(SUFFIX)) return undefined;
  const at = { name: textOf(from), namespace: textOf(namespace) || cluster.metadata.namespace };
  const template = await client.get(resourceOfReference(textOf(apiVersion), textOf(kind)), at);
  if (template === undefined) return undefined;
  const resource = resourceOfReference(textOf(apiVersion), textOf(kind).slice(0, -SUFFIX.length));
  const { name, uid = "" } = cluster.metadata;
  const place = { name, namespace: cluster.metadata.namespace };
  const there = await client.get(resource, place);
  if (there?.metadata.annotations?.[CLONED_FROM] === at.name) return { resource, object: there };
  const standing = textOf(fieldOf(there?.spec, "version")) || version;
  const object = await client.apply(
    resource,
    place,
    {
      apiVersion: textOf(apiVersion),
      kind: resource.kind,
      metadata: {
        ...place,
        labels: { "cluster.x-k8s.io/cluster-name": name },
        annotations: { [CLONED_FROM]: at.name },
        ownerReferences: [
          {
            apiVersion: cluster.apiVersion,
            kind: cluster.kind,
            name,
            uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        ...fieldsOf(fieldOf(fieldOf(template.spec, "template"), "spec")),
        ...(version !== undefined && { version: standing }),
      },
    },
    { fieldManager: PLAYER, force: true },
  );
  return { resource, object };
}

/** Deletes what a reference names. */
export async function removeMade(client: KubeClient, reference: unknown, namespace: string): Promise<void> {
  const { apiVersion, kind, name } = fieldsOf(reference);
  if (textOf(name) === "") return;
  const resource = resourceOfReference(textOf(apiVersion), textOf(kind));
  const found = await client.get(resource, { name: textOf(name), namespace });
  if (found === undefined) return;
  await client.delete(resource, { name: textOf(name), namespace }, { uid: found.metadata.uid });
}
