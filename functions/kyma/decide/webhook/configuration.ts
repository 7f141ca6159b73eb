import { CustomResourceDefinition } from "../../../../shared/kube/kinds/index.ts";
import { Kyma, ModuleReleaseMeta, ModuleTemplate, RUNTIME_NAMESPACE } from "../../kinds/index.ts";
import { type InstalledObject, MANAGED, type WatchedKind, WEBHOOK } from "./words.ts";

/**
 * The registration of the program at the runtime's API server: a webhook for each Watcher, and one for what every runtime gets. It never stands in
 * the way of a write.
 */
export function webhookConfiguration(watchers: readonly WatchedKind[], authorities: string): InstalledObject {
  const caBundle = Buffer.from(authorities).toString("base64");
  const sorted = inOrder(watchers);
  const own = ownManager(watchers);
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: WEBHOOK, labels: { ...MANAGED } },
    webhooks: [
      ...sorted.map((watcher) => webhookOf(watcher, caBundle)),
      // Without a Watcher there is no way by which anything could be told.
      ...(own === undefined ? [] : [webhookOfPlaced(own, caBundle)]),
    ],
  };
}

const webhookOf = (
  { name, namespace, manager, resource, labels, field }: WatchedKind,
  caBundle: string,
): object =>
  webhook(
    `${namespace}.${name}.operator.kyma-project.io`,
    labels,
    [ruleOf(resource, field === "status" ? `${resource.resource}/status` : resource.resource)],
    manager,
    caBundle,
  );

/** The webhook for copies of the catalog and for definitions: users may write both, and nobody else would notice. */
const webhookOfPlaced = (manager: string, caBundle: string): object =>
  webhook(
    "placed.kyma.reveille.dev",
    MANAGED,
    [ModuleReleaseMeta, ModuleTemplate, CustomResourceDefinition].map(({ group, plural }) =>
      ruleOf({ group, version: "*" }, plural),
    ),
    manager,
    caBundle,
  );

const ruleOf = ({ group, version }: Pick<WatchedKind["resource"], "group" | "version">, plural: string) => ({
  apiGroups: [group],
  apiVersions: [version],
  resources: [plural],
  operations: ["CREATE", "UPDATE", "DELETE"],
});

function webhook(
  name: string,
  labels: Readonly<Record<string, string>>,
  rules: readonly object[],
  manager: string,
  caBundle: string,
) {
  return {
    name,
    objectSelector: { matchLabels: { ...labels } },
    rules,
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

/** The manager under which Reveille itself is told: of the Watcher of Kymas. Another one may lead to somebody else's service. */
export const ownManager = (watchers: readonly WatchedKind[]): string | undefined => {
  const sorted = inOrder(watchers);
  const own = sorted.find(
    ({ resource: { group, resource } }) => group === Kyma.group && resource === Kyma.plural,
  );
  return (own ?? sorted[0])?.manager;
};

/** Watchers by their names: the order in which the server lists them would change the object. */
export const inOrder = (watchers: readonly WatchedKind[]): readonly WatchedKind[] =>
  watchers.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
const keyOf = ({ namespace, name }: WatchedKind): string => `${namespace}/${name}`;
