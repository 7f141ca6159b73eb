import type { KubeClient, Resource } from "./client.ts";
import { KubeError } from "./errors.ts";
import type { KubeObject } from "./object.ts";

/** The namespace of an installation that no release gives one of its own: the watchers' Lease and the pauses lie there. */
export const HOME_NAMESPACE = "reveille-system";
/** The former namespace: still read, and never written. */
export const FORMER_NAMESPACE = "default";

/** The label by which `uninstall` finds the objects that it may remove. */
export const PART_OF = { "app.kubernetes.io/part-of": "reveille" } as const;

const NAMESPACES: Resource = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
};

/** The namespace of an installation is not there, and may not be made by whoever needs it. */
export class HomeMissingError extends KubeError {}

/** The former namespace to look in besides `namespace`; undefined where there is none. */
export const formerOf = (namespace: string): string | undefined =>
  namespace === FORMER_NAMESPACE ? undefined : FORMER_NAMESPACE;

/**
 * Writes a first object of an installation into its namespace, which is made where it is not there. Throws a `HomeMissingError` where
 * that is not allowed, else the `KubeError` of the write.
 */
export async function inHome(
  client: Pick<KubeClient, "create">,
  namespace: string,
  write: () => Promise<KubeObject>,
): Promise<KubeObject> {
  try {
    return await write();
  } catch (thrown) {
    if (!(thrown instanceof KubeError) || thrown.kind !== "missing") throw thrown;
    await make(client, namespace);
    return await write();
  }
}

async function make(client: Pick<KubeClient, "create">, namespace: string): Promise<void> {
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels: PART_OF } };
  try {
    await client.create(NAMESPACES, body, { fieldManager: "reveille" });
  } catch (thrown) {
    if (!(thrown instanceof KubeError) || thrown.kind === "exists") return;
    if (thrown.kind !== "forbidden") throw thrown;
    throw new HomeMissingError(
      "forbidden",
      `There is no namespace ${namespace} for the Lease and the pauses, and this account may not create it: run \`kubectl create namespace ${namespace}\`, or name another in home.namespace`,
      { cause: thrown, request: thrown.request, code: "HOME_MISSING" },
    );
  }
}
