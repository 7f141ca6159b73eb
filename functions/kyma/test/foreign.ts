import { untilServed } from "../../../infra/testing/install-crds.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../../shared/kube/kinds/index.ts";
import { Gateway, VirtualService } from "../kinds/index.ts";

const TESTER = { fieldManager: "tester" } as const;

/** Serves the kinds of Istio that events come in by. */
export async function serveIstio(client: KubeClient): Promise<void> {
  for (const kind of [Gateway, VirtualService]) await serve(client, kind);
}

/** Serves a kind that others define, whatever its objects hold. */
async function serve(client: KubeClient, kind: Kind): Promise<void> {
  const { plural, group, kind: named } = resourceOf(kind);
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const body = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular: named.toLowerCase(), kind: named },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
  await client.apply(resourceOf(CustomResourceDefinition), body.metadata, body, {
    ...TESTER,
    force: true,
  });
  await untilServed(client, resourceOf(kind));
}
