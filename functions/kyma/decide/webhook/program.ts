import { RUNTIME_NAMESPACE } from "../../kinds/index.ts";
import {
  type Installation,
  type InstalledObject,
  MANAGED,
  PORTS,
  SELECTOR,
  TLS_SECRET,
  WEBHOOK,
} from "./words.ts";

const FILES = "/app/etc/ssl";
const QUEUE = "/app/queue";
const namespace = RUNTIME_NAMESPACE;
const labels = { ...MANAGED, ...SELECTOR };

/** The Deployment of the program. It has no account that may ask the API server for anything. */
export function deployment(
  { image, pullSecret, controlPlane, beatSeconds, certificate }: Installation,
  manager: string,
): InstalledObject {
  const value = (name: string, text: string) => ({ name, value: text });
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: WEBHOOK, namespace, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: { ...SELECTOR } },
      template: {
        metadata: {
          labels: {
            ...SELECTOR,
            "operator.kyma-project.io/pod-restart-trigger": certificate.version,
            "sidecar.istio.io/inject": "false",
          },
        },
        spec: {
          automountServiceAccountToken: false,
          priorityClassName: PRIORITY,
          ...(pullSecret !== undefined && { imagePullSecrets: [{ name: pullSecret }] }),
          securityContext: {
            runAsUser: 10_001,
            runAsGroup: 30_001,
            fsGroup: 30_001,
            runAsNonRoot: true,
            seccompProfile: { type: "RuntimeDefault" },
          },
          containers: [
            {
              name: "server",
              image,
              args: ["kyma", "runtime-watcher"],
              env: [
                value("WEBHOOK_PORT", String(PORTS.webhook)),
                value("METRICS_PORT", String(PORTS.metrics)),
                value("TLS_KEY", `${FILES}/tls.key`),
                value("TLS_CERT", `${FILES}/tls.crt`),
                value("CA_CERT", `${FILES}/ca.crt`),
                value("KCP_ADDR", controlPlane),
                value("KCP_CONTRACT", "v2"),
                value("BEAT_MANAGER", manager),
                value("BEAT_SECONDS", String(beatSeconds)),
                value("QUEUE_FOLDER", QUEUE),
              ],
              ports: [
                { name: "watcher-port", containerPort: PORTS.webhook, protocol: "TCP" },
                { name: "metrics-port", containerPort: PORTS.metrics, protocol: "TCP" },
              ],
              resources: {
                requests: { cpu: "10m", memory: "64Mi" },
                limits: { cpu: "100m", memory: "200Mi" },
              },
              securityContext: {
                privileged: false,
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                runAsNonRoot: true,
                capabilities: { drop: ["ALL"] },
              },
              volumeMounts: [
                { name: "ssl", mountPath: FILES, readOnly: true },
                { name: "queue", mountPath: QUEUE },
              ],
            },
          ],
          volumes: [
            { name: "ssl", secret: { secretName: TLS_SECRET } },
            // Outlives the container, and not the Pod: a new one begins by telling that anything may have changed.
            { name: "queue", emptyDir: { sizeLimit: "64Mi" } },
          ],
        },
      },
    },
  };
}

/** The Pod is not the first to go where room is short: without it, changes are seen minutes later. */
const PRIORITY = "skr-webhook-priority";
export const priorityClass = (): InstalledObject => ({
  apiVersion: "scheduling.k8s.io/v1",
  kind: "PriorityClass",
  metadata: { name: PRIORITY, labels: { ...MANAGED } },
  value: 1_000_000_000,
  globalDefault: false,
  description: "Keeps the program running that tells the control plane of changes.",
});

export const services = (): readonly InstalledObject[] =>
  [
    { name: WEBHOOK, port: 443, targetPort: "watcher-port", of: "webhook" },
    { name: `${WEBHOOK}-metrics`, port: PORTS.metrics, targetPort: "metrics-port", of: "http-metrics" },
  ].map(({ name, port, targetPort, of }) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace, labels },
    spec: { selector: { ...SELECTOR }, ports: [{ name: of, port, targetPort, protocol: "TCP" }] },
  }));

/** The runtime's own certificate: it proves the program to the API server and the runtime to the control plane. */
export const tlsSecret = ({ certificate, authorities }: Installation): InstalledObject => {
  const encoded = (text: string): string => Buffer.from(text).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: TLS_SECRET, namespace, labels },
    type: "Opaque",
    data: {
      "ca.crt": encoded(authorities),
      "tls.crt": encoded(certificate.certificate),
      "tls.key": encoded(certificate.key),
    },
  };
};
