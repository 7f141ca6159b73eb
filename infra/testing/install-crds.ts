import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { crdOf } from "../../shared/kube/crd.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { type Kind, resourceOf } from "../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { eventually } from "./eventually.ts";

/** The CRD that is generated for a kind, as an object to send. */
export const crdObject = (kind: Kind): KubeObject => crdOf(kind) as unknown as KubeObject;

/** Resolves once the server serves a kind whose CRD was just installed. */
export async function untilServed(client: KubeClient, resource: Resource): Promise<void> {
  await eventually(`${resource.kind} to be served`, async () => {
    try {
      const offered = await client.discover(resource.group, resource.version);
      await client.list(resource, { limit: 1 });
      return offered.some(({ plural }) => plural === resource.plural);
    } catch (error) {
      // The real server answers 404, then 429, until it serves a new kind.
      if (error instanceof KubeError && error.retryable) return false;
      throw error;
    }
  });
}

/** Installs a CRD and waits until the server serves its kind. */
export async function installCrd(client: KubeClient, crd: KubeObject, resource: Resource): Promise<void> {
  await client.create(resourceOf(CustomResourceDefinition), crd, { fieldManager: "user" });
  await untilServed(client, resource);
}

/** Installs the generated CRDs of kinds. */
export async function installKinds(client: KubeClient, kinds: readonly Kind[]): Promise<void> {
  for (const kind of kinds) await installCrd(client, crdObject(kind), resourceOf(kind));
}
