import { EXTENSION_CONFIGS } from "../../infra/systems/extension-config.ts";
import { installCrd } from "../../infra/testing/install-crds.ts";
import type { KubeClient } from "../../shared/kube/client.ts";

/** Installs the kind by which Cluster API learns of hooks, in its older version alone. */
export const installExtensionConfigs = (client: KubeClient): Promise<void> => {
  const { group, kind, plural, scope } = EXTENSION_CONFIGS;
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: "v1alpha1", served: true, storage: true, schema }],
    },
  };
  return installCrd(client, crd, { group, kind, plural, scope, version: "v1alpha1" });
};
