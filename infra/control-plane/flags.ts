import { HOST } from "./ports.ts";

/** Loopback port of etcd and files, as the flags of the three programs need them. */
export interface Layout {
  readonly directory: string;
  readonly etcdPort: number;
  readonly port: number;
  readonly tokenFile: string;
  readonly signingKey: string;
  readonly verifyingKey: string;
  readonly kubeconfigFile: string;
}

export const etcdFlags = ({ directory, etcdPort }: Layout, durable: boolean): string[] => [
  "--name=reveille",
  `--data-dir=${directory}/etcd`,
  "--log-level=warn",
  `--listen-client-urls=http://${HOST}:${etcdPort}`,
  `--advertise-client-urls=http://${HOST}:${etcdPort}`,
  // A single member needs no peers: any port will do.
  `--listen-peer-urls=http://${HOST}:0`,
  `--initial-advertise-peer-urls=http://${HOST}:0`,
  `--initial-cluster=reveille=http://${HOST}:0`,
  ...(durable ? [] : ["--unsafe-no-fsync"]),
];

export const apiserverFlags = (
  { directory, etcdPort, port, tokenFile, signingKey, verifyingKey }: Layout,
  {
    auditLog,
    auditPolicy,
    serviceAccounts,
    admissionPlugins,
  }: {
    auditLog: string | undefined;
    auditPolicy: string;
    serviceAccounts: boolean;
    admissionPlugins: readonly string[];
  },
): string[] => [
  `--etcd-servers=http://${HOST}:${etcdPort}`,
  `--bind-address=${HOST}`,
  `--advertise-address=${HOST}`,
  `--secure-port=${port}`,
  // kube-apiserver makes its own authority and certificate there.
  `--cert-dir=${directory}/certs`,
  `--token-auth-file=${tokenFile}`,
  "--authorization-mode=RBAC",
  "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
  `--service-account-signing-key-file=${signingKey}`,
  `--service-account-key-file=${verifyingKey}`,
  "--service-cluster-ip-range=10.0.0.0/16",
  // Nothing here routes the addresses of Services: webhooks are asked at those of their endpoints.
  "--enable-aggregator-routing=true",
  "--allow-privileged=true",
  // Without the controller that makes the `default` account, no Pod could be created.
  ...(serviceAccounts ? [] : ["--disable-admission-plugins=ServiceAccount"]),
  ...(admissionPlugins.length === 0 ? [] : [`--enable-admission-plugins=${admissionPlugins.join(",")}`]),
  ...(auditLog === undefined
    ? []
    : [`--audit-policy-file=${auditPolicy}`, `--audit-log-path=${auditLog}`, "--audit-log-mode=blocking"]),
];

/** The controllers that run in kube-controller-manager: those that act on API objects alone, without nodes or a cloud. */
const CONTROLLERS = [
  "clusterrole-aggregation-controller",
  "cronjob-controller",
  "deployment-controller",
  "garbage-collector-controller",
  "job-controller",
  "namespace-controller",
  "replicaset-controller",
  "root-ca-certificate-publisher-controller",
  "serviceaccount-controller",
  "statefulset-controller",
  "ttl-after-finished-controller",
] as const;

export const controllerManagerFlags = ({ directory, signingKey, kubeconfigFile }: Layout): string[] => [
  `--kubeconfig=${kubeconfigFile}`,
  "--leader-elect=false",
  "--secure-port=0",
  `--cert-dir=${directory}/controller-manager-certs`,
  `--service-account-private-key-file=${signingKey}`,
  `--root-ca-file=${directory}/certs/ca.crt`,
  `--controllers=${CONTROLLERS.join(",")}`,
];

/** Everything that people and programs ask for, without the control plane's talk with itself. */
export const AUDIT_POLICY = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [
    {
      level: "None",
      users: ["system:apiserver", "system:kube-controller-manager", "reveille:control-plane"],
    },
    { level: "None", nonResourceURLs: ["/healthz*", "/livez*", "/readyz*"] },
    { level: "Metadata" },
  ],
};
