import type { KubeObject } from "../../../../shared/kube/object.ts";
import { definitions } from "./definitions.ts";
import { clusterWide, manifest, namespace } from "./manifest.ts";

const container = {
  name: "operator",
  image: "registry.example.org/demo@sha256:aa",
  command: ["demo", "start"],
  args: ["--v=2", "--config=/etc/demo/config.yaml"],
  env: [
    { name: "PLAIN", value: "1" },
    { name: "EMPTY", value: "" },
    { name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    { name: "CPU", valueFrom: { resourceFieldRef: { containerName: "operator", resource: "limits.cpu" } } },
    { name: "KEY", valueFrom: { secretKeyRef: { name: "demo", key: "key", optional: false } } },
  ],
  envFrom: [{ configMapRef: { name: "demo" } }],
  ports: [
    { name: "metrics", containerPort: 8443 },
    { containerPort: 53, protocol: "UDP" },
  ],
  resources: { requests: { cpu: "0.05", memory: "1024Mi" }, limits: { cpu: "1000m" } },
  livenessProbe: { httpGet: { port: "metrics", scheme: "HTTPS" }, initialDelaySeconds: 0, periodSeconds: 0 },
  readinessProbe: { tcpSocket: { port: 8443 }, timeoutSeconds: 3 },
  startupProbe: { grpc: { port: 9000 } },
  lifecycle: { preStop: { httpGet: { port: 8443, path: "/stop" } } },
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    readOnlyRootFilesystem: false,
    runAsUser: 0,
  },
  terminationMessagePolicy: "FallbackToLogsOnError",
  volumeMounts: [
    { name: "config", mountPath: "/etc/demo", readOnly: true },
    { name: "tmp", mountPath: "/tmp", readOnly: false, subPath: "" },
  ],
};

const podTemplate = {
  metadata: {
    creationTimestamp: null,
    name: "demo",
    labels: { app: "demo", "node-role.example.org/x": "" },
    annotations: { "openshift.io/required-scc": "hostaccess" },
  },
  spec: {
    serviceAccountName: "demo",
    hostNetwork: false,
    nodeSelector: { "node-role.kubernetes.io/master": "" },
    priorityClassName: "system-cluster-critical",
    tolerations: [{ key: "node-role.kubernetes.io/master", operator: "Exists", effect: "NoSchedule" }],
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { app: "demo" } }, topologyKey: "kubernetes.io/hostname" },
        ],
      },
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: "zone",
        whenUnsatisfiable: "DoNotSchedule",
        labelSelector: { matchLabels: { app: "demo" } },
      },
    ],
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    initContainers: [
      {
        name: "first",
        image: "registry.example.org/demo",
        volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
      },
      { name: "second", image: "registry.example.org:5000/demo:v1" },
    ],
    containers: [container, { name: "proxy", image: "registry.example.org/proxy:latest" }],
    volumes: [
      { name: "config", configMap: { name: "demo" } },
      { name: "tmp" },
      { name: "sized", emptyDir: { medium: "Memory", sizeLimit: "1024Mi" } },
      { name: "host", hostPath: { path: "/etc/ssl" } },
      { name: "secret", secret: { secretName: "demo", items: [{ key: "a", path: "a" }] } },
      {
        name: "token",
        projected: {
          sources: [
            { serviceAccountToken: { path: "token" } },
            { configMap: { name: "ca" } },
            { downwardAPI: { items: [{ path: "n", fieldRef: { fieldPath: "metadata.name" } }] } },
          ],
        },
      },
      { name: "down", downwardAPI: { items: [{ path: "n", fieldRef: { fieldPath: "metadata.name" } }] } },
      { name: "disk", iscsi: { targetPortal: "10.0.0.1", iqn: "iqn.2001-04.com.example:x", lun: 0 } },
      { name: "ceph", rbd: { monitors: ["10.0.0.1"], image: "x" } },
    ],
  },
};

export const payloadNamespace = manifest("v1", "Namespace", namespace, { spec: {} }, clusterWide);

export const configMap = manifest("v1", "ConfigMap", "demo", {
  data: { "config.yaml": "a: 1\n", empty: "" },
  binaryData: { bytes: "AAEC" },
});

export const deployment = manifest("apps/v1", "Deployment", "demo", {
  spec: { selector: { matchLabels: { app: "demo" } }, template: podTemplate },
});

export const recreated = manifest("apps/v1", "Deployment", "recreated", {
  spec: {
    replicas: 0,
    paused: false,
    minReadySeconds: 0,
    revisionHistoryLimit: 3,
    strategy: { type: "Recreate" },
    selector: { matchLabels: { app: "demo" } },
    template: {
      ...podTemplate,
      spec: {
        hostNetwork: true,
        dnsPolicy: "Default",
        containers: [{ name: "one", image: "x", ports: [{ containerPort: 80 }], resources: null }],
        volumes: null,
      },
    },
  },
});

export const daemonSet = manifest("apps/v1", "DaemonSet", "demo", {
  spec: {
    selector: { matchLabels: { app: "demo" } },
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "10%" } },
    template: podTemplate,
  },
});

export const job = manifest("batch/v1", "Job", "demo", {
  spec: {
    backoffLimit: 2,
    activeDeadlineSeconds: 600,
    template: {
      metadata: { labels: { app: "demo" } },
      spec: { restartPolicy: "OnFailure", containers: [{ name: "run", image: "x", args: ["go"] }] },
    },
  },
});

export const cronJob = manifest("batch/v1", "CronJob", "demo", {
  spec: { schedule: "0 * * * *", jobTemplate: { spec: job.spec } },
});

export const service = manifest("v1", "Service", "demo", {
  spec: {
    selector: { app: "demo" },
    ports: [
      { name: "metrics", port: 8443, targetPort: "metrics" },
      { name: "dns", port: 53, protocol: "UDP" },
    ],
  },
});

export const headless = manifest("v1", "Service", "headless", {
  spec: { clusterIP: "None", selector: { app: "demo" }, ports: [{ port: 80 }] },
});

export const nodePorts = manifest("v1", "Service", "node-ports", {
  spec: { type: "NodePort", selector: { app: "demo" }, ports: [{ port: 80 }] },
});

export const serviceAccount = manifest("v1", "ServiceAccount", "demo", {});

export const role = manifest("rbac.authorization.k8s.io/v1", "Role", "demo", {
  rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"], resourceNames: null }],
});

export const clusterRole = manifest(
  "rbac.authorization.k8s.io/v1",
  "ClusterRole",
  "demo-reader",
  { rules: [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }] },
  clusterWide,
);

export const aggregatedRole = manifest(
  "rbac.authorization.k8s.io/v1",
  "ClusterRole",
  "demo-aggregated",
  {
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "rbac.example.org/demo": "true" } }] },
    rules: [],
  },
  clusterWide,
);

export const roleBinding = manifest("rbac.authorization.k8s.io/v1", "RoleBinding", "demo", {
  subjects: [
    { kind: "ServiceAccount", name: "demo", namespace },
    { kind: "Group", name: "system:masters" },
  ],
  roleRef: { kind: "Role", name: "demo" },
});

export const clusterRoleBinding = manifest(
  "rbac.authorization.k8s.io/v1",
  "ClusterRoleBinding",
  "demo-reader",
  {
    subjects: [{ kind: "ServiceAccount", name: "demo", namespace }],
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "demo-reader" },
  },
  clusterWide,
);

export const widget = manifest("demo.example.org/v1", "Widget", "demo", {
  spec: { free: { kept: null, list: [1, "1"] }, parts: [{ name: "a" }, { name: "b", weight: 2 }] },
});

export const imageStream = manifest("image.openshift.io/v1", "ImageStream", "demo", {
  spec: { tags: [{ name: "latest", from: { kind: "DockerImage", name: "registry.example.org/demo:1" } }] },
});

export const constraints = manifest(
  "security.openshift.io/v1",
  "SecurityContextConstraints",
  "demo",
  {
    allowHostNetwork: true,
    allowedCapabilities: null,
    defaultAddCapabilities: null,
    priority: null,
    requiredDropCapabilities: ["KILL"],
    runAsUser: { type: "MustRunAsRange" },
    users: [],
    volumes: ["configMap", "secret"],
  },
  clusterWide,
);

export const clusterOperator = manifest(
  "config.openshift.io/v1",
  "ClusterOperator",
  "demo",
  { status: { versions: [{ name: "operator", version: "1.0.0" }] } },
  clusterWide,
);

export const claim = manifest("v1", "PersistentVolumeClaim", "demo", {
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } },
});
export const networkPolicy = manifest("networking.k8s.io/v1", "NetworkPolicy", "demo", {
  spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] },
});
export const disruptionBudget = manifest("policy/v1", "PodDisruptionBudget", "demo", {
  spec: { maxUnavailable: 1, selector: { matchLabels: { app: "demo" } } },
});
export const priorityClass = manifest(
  "scheduling.k8s.io/v1",
  "PriorityClass",
  "demo",
  { value: 1000, globalDefault: false, description: "Demo." },
  clusterWide,
);
export const storageClass = manifest(
  "storage.k8s.io/v1",
  "StorageClass",
  "demo",
  { provisioner: "demo.example.org" },
  clusterWide,
);
export const secret = manifest("v1", "Secret", "demo", { stringData: { key: "value", empty: "" } });
export const statefulSet = manifest("apps/v1", "StatefulSet", "demo", {
  spec: {
    serviceName: "headless",
    selector: { matchLabels: { app: "demo" } },
    template: podTemplate,
    volumeClaimTemplates: [
      {
        metadata: { name: "claim" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } },
      },
    ],
  },
});
const webhooks = [
  {
    name: "demo.example.org",
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    failurePolicy: "Ignore",
    clientConfig: { service: { name: "demo", namespace, path: "/check" } },
    rules: [
      {
        apiGroups: ["demo.example.org"],
        apiVersions: ["v1"],
        operations: ["CREATE"],
        resources: ["gadgets"],
      },
    ],
  },
];
export const validating = manifest(
  "admissionregistration.k8s.io/v1",
  "ValidatingWebhookConfiguration",
  "demo",
  { webhooks },
  clusterWide,
);
export const mutating = manifest(
  "admissionregistration.k8s.io/v1",
  "MutatingWebhookConfiguration",
  "demo",
  { webhooks },
  clusterWide,
);
export const flowSchema = manifest(
  "flowcontrol.apiserver.k8s.io/v1",
  "FlowSchema",
  "demo",
  {
    spec: {
      priorityLevelConfiguration: { name: "global-default" },
      rules: [
        {
          subjects: [{ kind: "Group", group: { name: "demo" } }],
          nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/demo"] }],
        },
      ],
    },
  },
  clusterWide,
);

/** In the order in which they can be applied. */
/** Manifests as components ship them, one for each kind that has a rule of its own and some that have none. */
export const manifests: readonly KubeObject[] = [
  payloadNamespace,
  ...definitions,
  serviceAccount,
  configMap,
  secret,
  role,
  clusterRole,
  aggregatedRole,
  roleBinding,
  clusterRoleBinding,
  service,
  headless,
  nodePorts,
  deployment,
  recreated,
  daemonSet,
  statefulSet,
  job,
  cronJob,
  widget,
  imageStream,
  constraints,
  clusterOperator,
  claim,
  networkPolicy,
  disruptionBudget,
  priorityClass,
  storageClass,
  validating,
  mutating,
  flowSchema,
];
