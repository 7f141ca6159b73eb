import { RUNTIME_NAMESPACE } from "../../kinds/index.ts";
import { type InstalledObject, MANAGED, type WatchedKind, WEBHOOK } from "./words.ts";

/** The registration of the program at the runtime's API server: a webhook for each Watcher. It never stands in the way of a write. */
export function webhookConfiguration(watchers: readonly WatchedKind[], authorities: string): InstalledObject {
  const caBundle = Buffer.from(authorities).toString("base64");
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: WEBHOOK, labels: { ...MANAGED } },
    webhooks: inOrder(watchers).map((watcher) => webhookOf(watcher, caBundle)),
  };
}

function webhookOf({ name, namespace, manager, resource, labels, field }: WatchedKind, caBundle: string) {
  return {
    name: `${namespace}.${name}.operator.kyma-project.io`,
    objectSelector: { matchLabels: { ...labels } },
    rules: [
      {
        apiGroups: [resource.group],
        apiVersions: [resource.version],
        resources: [field === "status" ? `${resource.resource}/status` : resource.resource],
        operations: ["CREATE", "UPDATE", "DELETE"],
      },
    ],
    clientConfig: {
      service: { name: WEBHOOK, namespace: RUNTIME_NAMESPACE, path: `/validate/${manager}` },
      caBundle,
    },
    failurePolicy: "Ignore",
    sideEffects: "NoneOnDryRun",
    timeoutSeconds: 15,
    admissionReviewVersions: ["v1"],
  };
}

/** Watchers by their names: the order in which the server lists them would change the object. */
export const inOrder = (watchers: readonly WatchedKind[]): readonly WatchedKind[] =>
  watchers.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
const keyOf = ({ namespace, name }: WatchedKind): string => `${namespace}/${name}`;
