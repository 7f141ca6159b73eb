import { RUNTIME_NAMESPACE } from "../../kinds/index.ts";
import { type InstalledObject, MANAGED, PORTS, SELECTOR } from "./words.ts";

const HTTPS = 443;
/** Ports of name servers: the usual one, and that of a cache on each node. */
const DNS = [53, 8053];

/** Policies that let the program talk with whom it must: users' own may forbid everything else. */
export function networkPolicies(controlPlane: string): readonly InstalledObject[] {
  const gateway = Number(new URL(`https://${controlPlane}`).port || HTTPS);
  return [
    policy("seed-to-watcher", {
      ingress: [
        {
          from: [
            {
              namespaceSelector: { matchLabels: { "gardener.cloud/purpose": "kube-system" } },
              podSelector: { matchLabels: { app: "vpn-shoot" } },
            },
          ],
          ports: [{ port: PORTS.webhook, protocol: "TCP" }],
        },
      ],
    }),
    policy("watcher-to-apiserver", { egress: [{ ports: [{ port: gateway, protocol: "TCP" }] }] }),
    policy("metrics-to-watcher", { ingress: [{ ports: [{ port: PORTS.metrics, protocol: "TCP" }] }] }),
    policy("watcher-to-dns", {
      egress: [
        {
          to: [
            { ipBlock: { cidr: "0.0.0.0/0" } },
            ...["node-local-dns", "kube-dns"].map((app) => ({
              namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } },
              podSelector: { matchLabels: { "k8s-app": app } },
            })),
          ],
          ports: DNS.flatMap((port) => ["UDP", "TCP"].map((protocol) => ({ port, protocol }))),
        },
      ],
    }),
  ];
}

const policy = (
  name: string,
  rules: { readonly ingress?: readonly object[]; readonly egress?: readonly object[] },
): InstalledObject => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: {
    name: `kyma-project.io--${name}`,
    namespace: RUNTIME_NAMESPACE,
    labels: { ...MANAGED, ...SELECTOR },
  },
  spec: {
    podSelector: { matchLabels: { ...SELECTOR } },
    policyTypes: [rules.ingress === undefined ? "Egress" : "Ingress"],
    ...rules,
  },
});
