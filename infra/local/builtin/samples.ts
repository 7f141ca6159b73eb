import type { ApiObject } from "../resource-type.ts";

const metadata = { name: "a", namespace: "default" };
const template = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "c", image: "nginx" }] },
};
const selector = { matchLabels: { app: "a" } };
const of = (apiVersion: string, kind: string, fields: object, meta: object = metadata): ApiObject => ({
  apiVersion,
  kind,
  metadata: { ...metadata, ...meta },
  ...structuredClone(fields),
});
const deployment = (spec: object): ApiObject =>
  of("apps/v1", "Deployment", { spec: { selector, template, ...spec } });
const pod = (spec: object): ApiObject =>
  of("v1", "Pod", {
    spec: { containers: [{ name: "c", image: "registry.example.org:5000/a/b@sha256:0123" }], ...spec },
  });
const service = (spec: object): ApiObject => of("v1", "Service", { spec });
const clusterWide = { namespace: undefined };

/** Objects as people write them, good and bad: the suite asks the real server about each of them. */
export const samples: Readonly<Record<string, ApiObject>> = {
  "a small Deployment": deployment({}),
  "a Deployment with everything people use": deployment({
    replicas: 0,
    paused: false,
    minReadySeconds: 0,
    strategy: { rollingUpdate: { maxSurge: 1 } },
    template: {
      metadata: { labels: { app: "a" }, creationTimestamp: null, annotations: {} },
      spec: {
        serviceAccountName: "robot",
        hostNetwork: false,
        nodeSelector: {},
        securityContext: { runAsNonRoot: true, fsGroup: 1 },
        imagePullSecrets: [{ name: "pull" }],
        initContainers: [{ name: "i", image: "busybox:1.36", command: ["sh", "-c", "true"] }],
        volumes: [
          { name: "e" },
          { name: "s", secret: { secretName: "s" } },
          { name: "m", configMap: { name: "m", items: [{ key: "k", path: "p" }] } },
          { name: "h", hostPath: { path: "/tmp" } },
          {
            name: "d",
            downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }] },
          },
          {
            name: "p",
            projected: {
              sources: [{ serviceAccountToken: { path: "token" } }, { configMap: { name: "m" } }],
            },
          },
          { name: "l", emptyDir: { sizeLimit: "1024Mi", medium: "" } },
          { name: "c", persistentVolumeClaim: { claimName: "c" } },
          {
            name: "t",
            ephemeral: {
              volumeClaimTemplate: {
                spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
              },
            },
          },
        ],
        containers: [
          {
            name: "c",
            image: "nginx:latest",
            stdin: false,
            args: [],
            ports: [
              { containerPort: 80, name: "http" },
              { containerPort: 53, protocol: "UDP" },
            ],
            env: [
              { name: "A", value: "" },
              { name: "B", value: "b" },
              { name: "C", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
              { name: "D", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
              { name: "E", valueFrom: { secretKeyRef: { name: "s", key: "k", optional: false } } },
            ],
            envFrom: [{ configMapRef: { name: "m" } }],
            resources: {
              requests: { cpu: 0.5, memory: "1024Mi" },
              limits: { cpu: "1000m", memory: "2000000Ki" },
            },
            livenessProbe: { httpGet: { port: 80 } },
            readinessProbe: {
              httpGet: { port: "http", path: "/ready" },
              timeoutSeconds: 0,
              initialDelaySeconds: 0,
            },
            startupProbe: { grpc: { port: 9000 } },
            lifecycle: { preStop: { httpGet: { port: 80 } } },
            volumeMounts: [{ name: "e", mountPath: "/e", readOnly: false, subPath: "" }],
            securityContext: { privileged: false },
          },
        ],
      },
    },
  }),
  "a Deployment that recreates": deployment({ strategy: { type: "Recreate" } }),
  "a Deployment whose selector fits nothing": deployment({ selector: { matchLabels: { app: "b" } } }),
  "a Deployment without a selector": deployment({ selector: undefined }),
  "a Deployment with an empty selector": deployment({ selector: {} }),
  "a Deployment without containers": deployment({
    template: { metadata: { labels: { app: "a" } }, spec: { containers: [] } },
  }),
  "a Deployment without an image": deployment({
    template: { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c" }] } },
  }),
  "a Deployment with a bad container name": deployment({
    template: { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "C_1", image: "i" }] } },
  }),
  "a Deployment that never restarts": deployment({
    template: {
      metadata: { labels: { app: "a" } },
      spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] },
    },
  }),
  "a Deployment with a mount of no volume": deployment({
    template: {
      metadata: { labels: { app: "a" } },
      spec: { containers: [{ name: "c", image: "i", volumeMounts: [{ name: "v", mountPath: "/v" }] }] },
    },
  }),
  "a Deployment with less than nothing": deployment({ replicas: -1 }),
  "a Deployment with a wrong policy": deployment({
    template: {
      metadata: { labels: { app: "a" } },
      spec: { containers: [{ name: "c", image: "i", imagePullPolicy: "Sometimes" }] },
    },
  }),
  "a Deployment that asks for more than its limit": deployment({
    template: {
      metadata: { labels: { app: "a" } },
      spec: {
        containers: [{ name: "c", image: "i", resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } }],
      },
    },
  }),
  "a Deployment with a port out of range": deployment({
    template: {
      metadata: { labels: { app: "a" } },
      spec: { containers: [{ name: "c", image: "i", ports: [{ containerPort: 70000 }] }] },
    },
  }),
  "a StatefulSet": of("apps/v1", "StatefulSet", {
    spec: {
      selector,
      template,
      serviceName: "a",
      volumeClaimTemplates: [
        {
          metadata: { name: "v" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      ],
    },
  }),
  "a StatefulSet without a service": of("apps/v1", "StatefulSet", { spec: { selector, template } }),
  "a ReplicaSet": of("apps/v1", "ReplicaSet", { spec: { selector, template } }),
  "a DaemonSet": of("apps/v1", "DaemonSet", { spec: { selector, template } }),
  "a Job": of("batch/v1", "Job", {
    spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } } },
  }),
  "a Job with labels and a failure policy": of("batch/v1", "Job", {
    spec: {
      backoffLimit: 0,
      ttlSecondsAfterFinished: 0,
      template: {
        metadata: { labels: { app: "a" } },
        spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] },
      },
      podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [42] } }] },
    },
  }),
  "a Job that always restarts": of("batch/v1", "Job", {
    spec: { template: { spec: { containers: [{ name: "c", image: "i" }] } } },
  }),
  "a CronJob": of("batch/v1", "CronJob", {
    spec: {
      schedule: "*/5 * * * *",
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: "OnFailure", containers: [{ name: "c", image: "i" }] } } },
      },
    },
  }),
  "a CronJob with a bad schedule": of("batch/v1", "CronJob", {
    spec: {
      schedule: "often",
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: "OnFailure", containers: [{ name: "c", image: "i" }] } } },
      },
    },
  }),
  "a Pod": pod({}),
  "a Pod with limits": pod({
    containers: [{ name: "c", image: "i", resources: { limits: { cpu: "1", memory: "1Gi" } } }],
  }),
  "a Pod with two containers of one name": pod({
    containers: [
      { name: "c", image: "i" },
      { name: "c", image: "i" },
    ],
  }),
  "a Service": service({ selector: { app: "a" }, ports: [{ port: 80 }] }),
  "a Service with names": service({
    selector: { app: "a" },
    ports: [
      { port: 80, targetPort: "http", name: "http" },
      { port: 53, protocol: "UDP", name: "dns" },
    ],
    sessionAffinity: "ClientIP",
  }),
  "a headless Service": service({ clusterIP: "None", selector: { app: "a" }, ports: [{ port: 80 }] }),
  "a headless Service without a selector": service({ clusterIP: "None" }),
  "a Service on node ports": service({ type: "NodePort", ports: [{ port: 80 }] }),
  "a Service with a load balancer": service({ type: "LoadBalancer", ports: [{ port: 80 }] }),
  "a Service that is another name": service({ type: "ExternalName", externalName: "example.org" }),
  "a Service without ports": service({ selector: { app: "a" } }),
  "a Service with nameless ports": service({ ports: [{ port: 80 }, { port: 81 }] }),
  "a Service with port 0": service({ ports: [{ port: 0 }] }),
  "a Service of no type": service({ type: "Internal", ports: [{ port: 80 }] }),
  "a ConfigMap": of("v1", "ConfigMap", { data: { a: "1", empty: "" }, binaryData: { b: "aGk=" } }),
  "an empty ConfigMap": of("v1", "ConfigMap", { data: {} }),
  "a ConfigMap with a bad key": of("v1", "ConfigMap", { data: { "a/b": "1" } }),
  "a Secret of texts": of("v1", "Secret", { stringData: { a: "text", b: "new" }, data: { b: "b2xk" } }),
  "a Secret for TLS without keys": of("v1", "Secret", { type: "kubernetes.io/tls" }),
  "a Namespace": of("v1", "Namespace", {}, clusterWide),
  "a ServiceAccount": of("v1", "ServiceAccount", {}),
  "a claim": of(
    "v1",
    "PersistentVolumeClaim",
    {
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1024Mi" } },
        storageClassName: "",
      },
    },
    { finalizers: ["kubernetes.io/pvc-protection"] },
  ),
  "a claim of nothing": of("v1", "PersistentVolumeClaim", { spec: {} }),
  "a volume": of(
    "v1",
    "PersistentVolume",
    { spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/tmp" } } },
    { ...clusterWide, finalizers: ["kubernetes.io/pv-protection"] },
  ),
  "a Node": of("v1", "Node", {}, clusterWide),
  "an Event": of("v1", "Event", {
    involvedObject: { kind: "Pod", name: "a", namespace: "default" },
    reason: "Seen",
    message: "m",
    type: "Normal",
  }),
  "an Event from elsewhere": of("v1", "Event", {
    involvedObject: { kind: "Pod", name: "a", namespace: "other" },
  }),
  "a new Event": of("events.k8s.io/v1", "Event", {
    eventTime: "2026-01-01T00:00:00.000000Z",
    reportingController: "c",
    reportingInstance: "i",
    action: "A",
    reason: "R",
    type: "Normal",
    regarding: { kind: "Pod", name: "a", namespace: "default" },
    note: "n",
  }),
  "a new Event without its time": of("events.k8s.io/v1", "Event", {
    reason: "R",
    type: "Normal",
    regarding: { kind: "Pod", name: "a", namespace: "default" },
  }),
  "a Role": of("rbac.authorization.k8s.io/v1", "Role", {
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  }),
  "a Role without rules": of("rbac.authorization.k8s.io/v1", "Role", {}),
  "a Role without verbs": of("rbac.authorization.k8s.io/v1", "Role", {
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: [] }],
  }),
  "a ClusterRole": of(
    "rbac.authorization.k8s.io/v1",
    "ClusterRole",
    { rules: [{ nonResourceURLs: ["/healthz"], verbs: ["get"] }] },
    clusterWide,
  ),
  "a RoleBinding": of("rbac.authorization.k8s.io/v1", "RoleBinding", {
    roleRef: { kind: "Role", name: "a", apiGroup: "" },
    subjects: [
      { kind: "User", name: "u" },
      { kind: "ServiceAccount", name: "s", namespace: "default" },
    ],
  }),
  "a RoleBinding to something else": of("rbac.authorization.k8s.io/v1", "RoleBinding", {
    roleRef: { kind: "Roll", name: "a" },
    subjects: [{ kind: "ServiceAccount", name: "s" }],
  }),
  "a Lease": of("coordination.k8s.io/v1", "Lease", {
    spec: {
      holderIdentity: "",
      leaseDurationSeconds: 15,
      renewTime: "2026-01-01T00:00:00.000000Z",
      leaseTransitions: 0,
    },
  }),
  "an empty Lease": of("coordination.k8s.io/v1", "Lease", {}),
  "a Lease of no time": of("coordination.k8s.io/v1", "Lease", { spec: { leaseDurationSeconds: 0 } }),
  "an Ingress": of("networking.k8s.io/v1", "Ingress", {
    spec: {
      ingressClassName: "n",
      rules: [
        {
          host: "a.example.org",
          http: {
            paths: [
              { path: "/", pathType: "Prefix", backend: { service: { name: "a", port: { number: 80 } } } },
            ],
          },
        },
      ],
    },
  }),
  "an Ingress without rules": of("networking.k8s.io/v1", "Ingress", { spec: {} }),
  "an IngressClass": of(
    "networking.k8s.io/v1",
    "IngressClass",
    { spec: { controller: "example.org/c" } },
    clusterWide,
  ),
  "a NetworkPolicy": of("networking.k8s.io/v1", "NetworkPolicy", {
    spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] },
  }),
  "a HorizontalPodAutoscaler": of("autoscaling/v2", "HorizontalPodAutoscaler", {
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" } },
  }),
  "a HorizontalPodAutoscaler without bounds and target": of("autoscaling/v2", "HorizontalPodAutoscaler", {
    spec: { maxReplicas: 0, minReplicas: 5, scaleTargetRef: { kind: "", name: "" } },
  }),
  "a HorizontalPodAutoscaler with metrics": of("autoscaling/v2", "HorizontalPodAutoscaler", {
    spec: {
      maxReplicas: 3,
      minReplicas: 2,
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
      metrics: [
        {
          type: "Resource",
          resource: { name: "memory", target: { type: "AverageValue", averageValue: "1024Mi" } },
        },
        {
          type: "Pods",
          pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "1500m" } },
        },
      ],
    },
  }),
  "a HorizontalPodAutoscaler of the first version": of("autoscaling/v1", "HorizontalPodAutoscaler", {
    spec: {
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 50,
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
    },
  }),
  "a PodDisruptionBudget": of("policy/v1", "PodDisruptionBudget", {
    spec: { minAvailable: "50%", selector },
  }),
  "a PriorityClass": of(
    "scheduling.k8s.io/v1",
    "PriorityClass",
    { value: 0, globalDefault: false },
    clusterWide,
  ),
  "a StorageClass": of("storage.k8s.io/v1", "StorageClass", { provisioner: "example.org/p" }, clusterWide),
  Endpoints: of("v1", "Endpoints", { subsets: [{ addresses: [{ ip: "10.1.2.3" }], ports: [{ port: 80 }] }] }),
  "an EndpointSlice": of("discovery.k8s.io/v1", "EndpointSlice", {
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.1.2.3"] }],
    ports: [{ port: 80 }],
  }),
  "a quota": of("v1", "ResourceQuota", { spec: { hard: { pods: "1000", "requests.cpu": "1000m" } } }),
  "a validating webhook": of(
    "admissionregistration.k8s.io/v1",
    "ValidatingWebhookConfiguration",
    {
      webhooks: [
        {
          name: "a.example.org",
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          clientConfig: { service: { name: "a", namespace: "b" } },
          rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["CREATE"], resources: ["*"] }],
        },
      ],
    },
    clusterWide,
  ),
};
