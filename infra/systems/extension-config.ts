import type { HookDeclaration } from "../../shared/function/hook-declaration.ts";
import type { System } from "../../shared/function/system.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { PART_OF } from "../../shared/kube/home.ts";
import { MANAGER, type RegistrationOptions } from "./webhooks.ts";

/** The resource by which Cluster API learns of hooks, in the version that its installation serves. */
export const EXTENSION_CONFIGS: Resource = {
  group: "runtime.cluster.x-k8s.io",
  version: "v1beta2",
  versions: ["v1beta2", "v1alpha1"],
  kind: "ExtensionConfig",
  plural: "extensionconfigs",
  scope: "Cluster",
};
/** The name of ours: one listener has one, whatever systems answer there. A handler is called `<hook>.reveille` in Cluster API. */
export const EXTENSION_CONFIG = "reveille";

/** The hooks that Cluster API asks. */
export const runtimeHooks = (systems: readonly System[]): readonly HookDeclaration[] =>
  systems.flatMap(({ hooks }) => hooks).filter(({ requestHook }) => requestHook !== undefined);

/** The ExtensionConfig of the systems' hooks; undefined where Cluster API asks none. Which hooks there are it finds by discovery. Deterministic. */
export function extensionConfig(
  systems: readonly System[],
  { at, authorities, namespaces }: RegistrationOptions,
) {
  if (runtimeHooks(systems).length === 0) return undefined;
  return {
    apiVersion: `${EXTENSION_CONFIGS.group}/${EXTENSION_CONFIGS.version}`,
    kind: EXTENSION_CONFIGS.kind,
    metadata: { name: EXTENSION_CONFIG, labels: PART_OF },
    spec: {
      clientConfig: {
        ...at,
        ...(authorities !== undefined && { caBundle: Buffer.from(authorities).toString("base64") }),
      },
      namespaceSelector:
        namespaces === undefined
          ? {}
          : {
              matchExpressions: [
                { key: "kubernetes.io/metadata.name", operator: "In", values: [...namespaces].sort() },
              ],
            },
    },
  };
}

/** The end of a registration: there is nothing to register, Cluster API is not installed, or it asks from now on. */
export type Registration = "nothing" | "absent" | "registered";

/** Registers the hooks at Cluster API, if its kind is served. Throws a `KubeError`. */
export async function registerExtensions(
  client: Pick<KubeClient, "apply">,
  systems: readonly System[],
  options: RegistrationOptions,
  signal?: AbortSignal,
): Promise<Registration> {
  const wanted = extensionConfig(systems, options);
  if (wanted === undefined) return "nothing";
  const { name } = wanted.metadata;
  try {
    await client.apply(EXTENSION_CONFIGS, { name }, wanted, { fieldManager: MANAGER, force: true, signal });
    return "registered";
  } catch (thrown) {
    if (thrown instanceof KubeError && thrown.kind === "kindMissing") return "absent";
    throw thrown;
  }
}

/** Takes away what `registerExtensions` wrote. Throws a `KubeError`. */
export async function unregisterExtensions(client: Pick<KubeClient, "get" | "delete">): Promise<void> {
  try {
    const found = await client.get(EXTENSION_CONFIGS, { name: EXTENSION_CONFIG }, { metadataOnly: true });
    const isOurs = found?.metadata.managedFields?.some(({ manager }) => manager === MANAGER) === true;
    if (found === undefined || !isOurs) return;
    await client.delete(EXTENSION_CONFIGS, { name: EXTENSION_CONFIG }, { uid: found.metadata.uid });
  } catch (thrown) {
    if (!(thrown instanceof KubeError && thrown.kind === "kindMissing")) throw thrown;
  }
}
