import type { KubeClient } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { ClusterOperator } from "../kinds/index.ts";
import type { OperatorStatus, StatusEndpoint } from "../status/index.ts";

export type OperatorObject = KubeObject & { readonly status?: OperatorStatus };

/** The endpoint that an operator reports to, made where it is missing. `before` runs before each write arrives: what others do meanwhile. */
export function endpointOf(
  client: KubeClient,
  name: string,
  before: () => Promise<void> = async () => undefined,
): StatusEndpoint<OperatorObject> {
  const resource = resourceOf(ClusterOperator);
  const options = { fieldManager: name };
  return {
    read: async () => (await client.get(resource, { name })) as OperatorObject | undefined,
    write: async (object) => {
      await before();
      return (await client.replace(resource, { name }, object, {
        ...options,
        subresource: "status",
      })) as OperatorObject;
    },
    create: async () =>
      (await client.create(
        resource,
        { apiVersion: "config.openshift.io/v1", kind: "ClusterOperator", metadata: { name }, spec: {} },
        options,
      )) as OperatorObject,
  };
}
