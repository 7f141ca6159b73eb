import { type Judged, of } from "./object.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const secret = (type: string, data: Readonly<Record<string, string>>): Judged =>
  of("v1", "Secret", {
    type: `kubernetes.io/${type}`,
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64(text)])),
  });
const MOST = 1024 * 1024;
const large = (size: number): string => base64("x".repeat(size));
const priority = (fields: object, name = "a"): Judged =>
  of("scheduling.k8s.io/v1", "PriorityClass", fields, name);
const quota = (spec: object): Judged => of("v1", "ResourceQuota", { spec });
const scoped = (
  operator: string,
  scopeName: string,
  values?: readonly string[],
  hard: object = { pods: "1" },
): Judged => quota({ hard, scopeSelector: { matchExpressions: [{ operator, scopeName, values }] } });
const limits = (item: object): Judged => of("v1", "LimitRange", { spec: { limits: [item] } });
const pod = (spec: object): Judged =>
  of("v1", "Pod", { spec: { containers: [{ name: "c", image: "i" }], ...spec } });
const container = (fields: object): Judged => pod({ containers: [{ name: "c", image: "i", ...fields }] });
const claim = (spec: object): Judged =>
  of("v1", "PersistentVolumeClaim", {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
  });

/** Secrets, priorities, quotas, limits, claims and pods, good and bad. */
export const rest: Readonly<Record<string, Judged>> = {
  "a Secret of a registry that is no JSON": secret("dockerconfigjson", { ".dockerconfigjson": "{1" }),
  "a Secret of a registry that is empty": secret("dockerconfigjson", { ".dockerconfigjson": "" }),
  "a Secret of a registry that is a list": secret("dockerconfigjson", { ".dockerconfigjson": "[]" }),
  "a Secret of a registry that is a text": secret("dockerconfigjson", { ".dockerconfigjson": '"a"' }),
  "a Secret of a registry that ends early": secret("dockerconfigjson", { ".dockerconfigjson": '{"a":' }),
  "a Secret of a registry with too much": secret("dockerconfigjson", { ".dockerconfigjson": "{} x" }),
  "a Secret of a registry": secret("dockerconfigjson", { ".dockerconfigjson": "{}" }),
  "a Secret of a registry without its key": secret("dockerconfigjson", { a: "{}" }),
  "a Secret of a mebibyte": of("v1", "Secret", { data: { a: large(MOST - 1), b: large(1) } }),
  "a Secret of a mebibyte and a byte": of("v1", "Secret", { data: { a: large(MOST), b: large(1) } }),
  "a ConfigMap of a mebibyte": of("v1", "ConfigMap", {
    data: { a: "ä" },
    binaryData: { b: large(MOST - 2) },
  }),
  "a ConfigMap of a mebibyte and a byte": of("v1", "ConfigMap", {
    data: { a: "ä" },
    binaryData: { b: large(MOST - 1) },
  }),
  "a Secret of an old registry that is no JSON": secret("dockercfg", { ".dockercfg": "x" }),
  "a Secret of an old registry without its key": secret("dockercfg", {}),
  "a Secret for TLS": secret("tls", { "tls.crt": "x", "tls.key": "y" }),
  "a Secret for TLS without anything": secret("tls", {}),
  "a Secret for TLS without its key": secret("tls", { "tls.crt": "x" }),
  "a Secret with a name and a password": secret("basic-auth", { username: "u", password: "p" }),
  "a Secret with a name alone": secret("basic-auth", { username: "u" }),
  "a Secret with neither": secret("basic-auth", { a: "b" }),
  "a Secret for SSH": secret("ssh-auth", { "ssh-privatekey": "x" }),
  "a Secret for SSH without anything": secret("ssh-auth", {}),
  "a Secret for SSH with an empty key": secret("ssh-auth", { "ssh-privatekey": "" }),
  "a Secret of an account": secret("service-account-token", {}),

  "a PriorityClass above all": priority({ value: 1_000_000_001 }),
  "a PriorityClass as high as may be": priority({ value: 1_000_000_000 }),
  "a PriorityClass far below": priority({ value: -2_147_483_648 }),
  "a PriorityClass of the system's name": priority({ value: 1 }, "system-mine"),
  "a PriorityClass of a system's own": priority({ value: 2_000_000_000 }, "system-cluster-critical"),
  "a PriorityClass with an unknown policy": priority({ value: 1, preemptionPolicy: "Perhaps" }),

  "a quota of less than nothing": quota({ hard: { pods: "-1" } }),
  "a quota of half a pod": quota({ hard: { pods: "500m" } }),
  "a quota of an unknown resource": quota({ hard: { bananas: "1" } }),
  "a quota of an extended resource": quota({ hard: { "requests.example.org/gpu": "1" } }),
  "a quota of counts": quota({ hard: { "count/deployments.apps": "1" } }),
  "a quota of a bad name": quota({ hard: { "a b": "1" } }),
  "a quota with a scope": quota({ hard: { pods: "1" }, scopes: ["BestEffort"] }),
  "a quota with a scope that does not fit": quota({ hard: { "requests.cpu": "1" }, scopes: ["BestEffort"] }),
  "a quota of Services with a scope": quota({ hard: { services: "1" }, scopes: ["Terminating"] }),
  "a quota with opposite scopes": quota({ hard: { pods: "1" }, scopes: ["BestEffort", "NotBestEffort"] }),
  "a quota with opposite ends": quota({ hard: { pods: "1" }, scopes: ["Terminating", "NotTerminating"] }),
  "a quota with an unknown scope": quota({ hard: { pods: "1" }, scopes: ["Odd"] }),
  "a quota that selects priorities": scoped("In", "PriorityClass", ["high"]),
  "a quota that selects no priorities": scoped("In", "PriorityClass", []),
  "a quota that selects priorities that are there": scoped("Exists", "PriorityClass"),
  "a quota that selects by too much": scoped("Exists", "PriorityClass", ["high"]),
  "a quota that selects ends by values": scoped("In", "Terminating", ["x"]),
  "a quota that selects by an unknown operator": scoped("Is", "PriorityClass", ["x"]),
  "a quota that selects by an unknown scope": scoped("Exists", "Odd"),
  "a quota that selects by an empty name": scoped("In", "PriorityClass", [""]),
  "a quota that selects what does not fit": scoped("Exists", "BestEffort", undefined, { "limits.cpu": "1" }),

  "limits of a container": limits({ type: "Container", max: { cpu: "1" }, default: { cpu: "500m" } }),
  "limits with a default beyond": limits({ type: "Container", max: { cpu: "1" }, default: { cpu: "2" } }),
  "limits with a request beyond": limits({
    type: "Container",
    default: { cpu: "1" },
    defaultRequest: { cpu: "2" },
  }),
  "limits with the least above the most": limits({ type: "Container", max: { cpu: "1" }, min: { cpu: "2" } }),
  "limits with a request below": limits({
    type: "Container",
    min: { cpu: "1" },
    defaultRequest: { cpu: "500m" },
  }),
  "limits with a request above": limits({
    type: "Container",
    max: { cpu: "1" },
    defaultRequest: { cpu: "2" },
  }),
  "limits of pods with a default": limits({
    type: "Pod",
    default: { cpu: "1" },
    defaultRequest: { cpu: "1" },
  }),
  "limits of claims without bounds": limits({ type: "PersistentVolumeClaim" }),
  "limits of claims": limits({ type: "PersistentVolumeClaim", max: { storage: "1Gi" } }),
  "limits of an unknown thing": limits({ type: "Box", max: { cpu: "1" } }),
  "limits of a thing of someone's own": limits({ type: "example.org/Box", max: { cpu: "1" } }),
  "limits with a ratio below one": limits({ type: "Container", maxLimitRequestRatio: { cpu: "500m" } }),
  "limits with a ratio that cannot be": limits({
    type: "Container",
    min: { cpu: "1" },
    max: { cpu: "2" },
    maxLimitRequestRatio: { cpu: "3" },
  }),
  "limits with the least alone": limits({ type: "Container", min: { cpu: "100m" } }),
  "limits with two of a sort": of("v1", "LimitRange", {
    spec: {
      limits: [
        { type: "Pod", max: { cpu: "1" } },
        { type: "Pod", max: { cpu: "2" } },
      ],
    },
  }),
  "limits without a type": limits({ type: "", max: { cpu: "1" } }),

  "a claim of negative storage": claim({ resources: { requests: { storage: "-1Gi" } } }),
  "a claim of no storage": claim({ resources: { requests: { storage: "0" } } }),
  "a claim with an unknown mode": claim({ accessModes: ["Sometimes"] }),
  "a claim with modes that do not go together": claim({ accessModes: ["ReadWriteOncePod", "ReadWriteOnce"] }),
  "a claim with a bad class": claim({ storageClassName: "a_b" }),
  "a claim of an unknown sort": claim({ volumeMode: "Tape" }),
  "a claim with a bad volume": claim({ volumeName: "v", selector: { matchLabels: { "a b": "c" } } }),

  "a Pod of an unknown priority": pod({ priorityClassName: "ghost" }),
  "a Pod of a system's priority": pod({ priorityClassName: "system-node-critical" }),
  "a Pod with a priority by hand": pod({ priority: 5 }),
  "a Pod with a bad node selector": pod({ nodeSelector: { "a b": "c" } }),
  "a Pod of an unknown DNS policy": pod({ dnsPolicy: "Odd" }),
  "a Pod of an unknown restart policy": pod({ restartPolicy: "Odd" }),
  "a Pod with a bad host name": pod({ hostname: "a_b", subdomain: "c_d" }),
  "a Pod with no time": pod({ activeDeadlineSeconds: 0 }),
  "a Pod with less than no grace": pod({ terminationGracePeriodSeconds: -1 }),
  "a Pod with a bad pull secret": pod({ imagePullSecrets: [{ name: "" }] }),
  "a Pod with a bad toleration": pod({ tolerations: [{ operator: "Exists", value: "x", key: "k" }] }),
  "a Pod with a toleration of an unknown effect": pod({
    tolerations: [{ key: "k", operator: "Equal", effect: "Odd" }],
  }),
  "a Pod whose starter has a probe": pod({
    initContainers: [{ name: "i", image: "i", readinessProbe: { tcpSocket: { port: 1 } } }],
  }),
  "a Pod with a probe below nothing": container({
    livenessProbe: { tcpSocket: { port: 1 }, periodSeconds: -1 },
  }),
  "a Pod with a probe of no port": container({ livenessProbe: { httpGet: { port: 0 } } }),
  "a Pod with a probe of a bad name": container({ livenessProbe: { httpGet: { port: "no_good" } } }),
  "a Pod that lives by two successes": container({
    livenessProbe: { tcpSocket: { port: 1 }, successThreshold: 2 },
  }),
  "a Pod with one host port twice": container({
    ports: [
      { containerPort: 1, hostPort: 5 },
      { containerPort: 2, hostPort: 5 },
    ],
  }),
  "a Pod with a host port out of range": container({ ports: [{ containerPort: 1, hostPort: 70000 }] }),
  "a Pod with a pull policy that is none": container({ imagePullPolicy: "Sometimes" }),
  "a Pod with a hook of nothing": container({ lifecycle: { preStop: {} } }),
  "a Pod with an unknown resource": container({ resources: { limits: { bananas: "1" } } }),
  "a Pod with a resource without its limit": container({
    resources: { requests: { "example.org/gpu": "1" } },
  }),
  "a Pod with half a device": container({ resources: { limits: { "example.org/gpu": "500m" } } }),
  "a Pod with a way out of its volume": pod({
    volumes: [{ name: "v", emptyDir: {} }],
    containers: [{ name: "c", image: "i", volumeMounts: [{ name: "v", mountPath: "/v", subPath: "../x" }] }],
  }),
  "a Pod with a privileged but careful container": container({
    securityContext: { privileged: true, allowPrivilegeEscalation: false },
  }),
  "a Pod with a Secret without a name": pod({ volumes: [{ name: "v", secret: {} }] }),
  "a Pod with a claim without a name": pod({
    volumes: [{ name: "v", persistentVolumeClaim: { claimName: "" } }],
  }),
  "a Pod with a host path that goes up": pod({ volumes: [{ name: "v", hostPath: { path: "/a/../b" } }] }),
  "a Pod with a key to nowhere": pod({
    volumes: [{ name: "v", configMap: { name: "m", items: [{ key: "k", path: "/abs" }] } }],
  }),
  "a Pod with a mode out of range": pod({
    volumes: [{ name: "v", secret: { secretName: "s", defaultMode: 1000 } }],
  }),
};
