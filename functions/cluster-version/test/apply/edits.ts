import type { KubeObject } from "../../../../shared/kube/object.ts";
import { widgets } from "./definitions.ts";
import * as samples from "./manifests.ts";

/** An edit that somebody makes to an object of a payload, and what the next pass makes of it. */
export interface Edit {
  readonly title: string;
  readonly manifest: KubeObject;
  /** A merge patch, or a JSON patch where it is a list. */
  readonly change: unknown;
  readonly outcome: "restored" | "kept";
}

const restored = (title: string, manifest: KubeObject, change: unknown): Edit => ({
  title,
  manifest,
  change,
  outcome: "restored",
});
const kept = (title: string, manifest: KubeObject, change: unknown): Edit => ({
  title,
  manifest,
  change,
  outcome: "kept",
});
const add = (path: string, value: unknown) => [{ op: "add", path, value }];
const remove = (path: string) => [{ op: "remove", path }];
const pod = "/spec/template/spec";
const first = `${pod}/containers/0`;
const label = { metadata: { labels: { "app.example.org/part-of": "mine" } } };
const another = { metadata: { labels: { mine: "1" }, annotations: { "example.org/mine": "1" } } };

const workloads: readonly Edit[] = [
  restored("scaled", samples.deployment, { spec: { replicas: 5 } }),
  restored("scaled up from zero", samples.recreated, { spec: { replicas: 1 } }),
  restored("paused", samples.deployment, { spec: { paused: true } }),
  restored("another strategy", samples.deployment, {
    spec: { strategy: { rollingUpdate: { maxSurge: 3 } } },
  }),
  restored("a rolling strategy", samples.recreated, { spec: { strategy: { type: "RollingUpdate" } } }),
  restored("another image", samples.deployment, add(`${first}/image`, "mine")),
  restored(
    "an added container",
    samples.deployment,
    add(`${pod}/containers/-`, { name: "mine", image: "x" }),
  ),
  restored("containers in another order", samples.deployment, [
    { op: "move", from: `${pod}/initContainers/0`, path: `${pod}/initContainers/1` },
  ]),
  restored("a removed container", samples.deployment, remove(`${pod}/containers/1`)),
  restored("an added volume", samples.deployment, add(`${pod}/volumes/-`, { name: "mine", emptyDir: {} })),
  restored(
    "another volume source",
    samples.deployment,
    add(`${pod}/volumes/1`, { name: "tmp2", emptyDir: {} }),
  ),
  restored(
    "an added mount",
    samples.deployment,
    add(`${first}/volumeMounts/-`, { name: "tmp", mountPath: "/m" }),
  ),
  restored("an added port", samples.deployment, add(`${first}/ports/-`, { containerPort: 99 })),
  restored("an added variable", samples.deployment, add(`${first}/env/-`, { name: "MINE", value: "1" })),
  restored("another argument", samples.deployment, add(`${first}/args/0`, "--v=9")),
  restored("a command where there was none", samples.deployment, add(`${pod}/containers/1/command`, ["sh"])),
  restored("a removed probe", samples.deployment, remove(`${first}/livenessProbe`)),
  restored(
    "an added probe",
    samples.deployment,
    add(`${pod}/containers/1/livenessProbe`, { exec: { command: ["a"] } }),
  ),
  restored(
    "more privileges",
    samples.deployment,
    add(`${first}/securityContext/capabilities/add`, ["SYS_ADMIN"]),
  ),
  restored(
    "a restriction taken away",
    samples.deployment,
    remove(`${first}/securityContext/allowPrivilegeEscalation`),
  ),
  restored("another resource", samples.deployment, add(`${first}/resources/limits/memory`, "1Gi")),
  restored("the host's network", samples.deployment, add(`${pod}/hostNetwork`, true)),
  restored("a longer grace period", samples.deployment, add(`${pod}/terminationGracePeriodSeconds`, 99)),
  restored("another pull policy", samples.recreated, add(`${first}/imagePullPolicy`, "Never")),
  restored("another service account", samples.deployment, {
    spec: { template: { spec: { serviceAccountName: "mine" } } },
  }),
  restored("a removed toleration", samples.deployment, remove(`${pod}/tolerations`)),
  restored("a listed label of the pods", samples.deployment, {
    spec: { template: { metadata: { labels: { "node-role.example.org/x": "no" } } } },
  }),
  kept("an added annotation of the pods", samples.deployment, {
    spec: { template: { metadata: { annotations: { "kubectl.kubernetes.io/restartedAt": "now" } } } },
  }),
  kept("an added toleration", samples.deployment, add(`${pod}/tolerations/-`, { operator: "Exists" })),
  kept("an added node selector", samples.deployment, {
    spec: { template: { spec: { nodeSelector: { mine: "1" } } } },
  }),
  kept("another revision limit", samples.deployment, { spec: { revisionHistoryLimit: 2 } }),
  restored("another image of a daemon set", samples.daemonSet, add(`${first}/image`, "mine")),
  restored("another strategy of a daemon set", samples.daemonSet, {
    spec: { updateStrategy: { rollingUpdate: { maxUnavailable: 4 } } },
  }),
  restored("another image of a stateful set", samples.statefulSet, add(`${first}/image`, "mine")),
  restored("a scaled stateful set", samples.statefulSet, { spec: { replicas: 4 } }),
  restored("another schedule", samples.cronJob, { spec: { schedule: "1 * * * *" } }),
  restored("another concurrency policy", samples.cronJob, { spec: { concurrencyPolicy: "Forbid" } }),
  restored("a suspended cron job", samples.cronJob, { spec: { suspend: true } }),
  restored("a suspended job", samples.job, { spec: { suspend: true } }),
];

const core: readonly Edit[] = [
  restored("a listed key", samples.configMap, { data: { "config.yaml": "a: 2\n" } }),
  restored("a removed key", samples.configMap, { data: { empty: null } }),
  restored("no data at all", samples.configMap, { data: null }),
  kept("another key", samples.configMap, { data: { mine: "1" } }),
  restored("a listed label", samples.configMap, label),
  kept("another label and annotation", samples.configMap, another),
  restored("a listed label of a namespace", samples.payloadNamespace, label),
  kept("another label of a namespace", samples.payloadNamespace, another),
  restored("a token mounted by choice", samples.serviceAccount, { automountServiceAccountToken: false }),
  kept("a pull secret of a service account", samples.serviceAccount, {
    imagePullSecrets: [{ name: "mine" }],
  }),
  restored("another selector", samples.service, { spec: { selector: { mine: "1" } } }),
  restored("another target port", samples.service, add("/spec/ports/0/targetPort", 1)),
  restored("an added port", samples.service, add("/spec/ports/-", { name: "mine", port: 1 })),
  restored("another type", samples.service, { spec: { type: "NodePort" } }),
  restored("the type LoadBalancer", samples.service, { spec: { type: "LoadBalancer" } }),
  kept("a session affinity", samples.service, { spec: { sessionAffinity: "ClientIP" } }),
  kept("another node port", samples.nodePorts, add("/spec/ports/0/nodePort", 30123)),
];

const rights: readonly Edit[] = [
  restored("other rules", samples.role, { rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] }),
  restored("no rules", samples.clusterRole, { rules: null }),
  kept("rules of an aggregated role", samples.aggregatedRole, {
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  }),
  restored("another aggregation", samples.aggregatedRole, {
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { mine: "1" } }] },
  }),
  restored("another subject", samples.roleBinding, add("/subjects/-", { kind: "User", name: "me" })),
  restored("no subjects", samples.clusterRoleBinding, { subjects: null }),
];

const others: readonly Edit[] = [
  restored(
    "a column of a definition",
    widgets,
    add("/spec/versions/0/additionalPrinterColumns/-", { name: "Mine", type: "string", jsonPath: ".mine" }),
  ),
  restored("a short name of a definition", widgets, { spec: { names: { shortNames: ["wd"] } } }),
  restored(
    "another default in a schema",
    widgets,
    add("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/default", 9),
  ),
  restored("a listed field", samples.widget, { spec: { parts: [] } }),
  restored("a default that was changed", samples.widget, { spec: { size: 9 } }),
  restored("an added field", samples.widget, { spec: { free: { mine: true } } }),
  restored("a field in an item", samples.widget, add("/spec/parts/0/weight", 7)),
  restored("a listed label of any other kind", samples.widget, label),
  restored("another label and annotation of any other kind", samples.widget, another),
  kept("what Kubernetes' own tools write down", samples.widget, {
    metadata: { annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}" } },
  }),
  restored("a listed tag", samples.imageStream, add("/spec/tags/0/from/name", "mine")),
  kept("another tag", samples.imageStream, add("/spec/tags/-", { name: "mine" })),
  restored("another lookup policy", samples.imageStream, { spec: { lookupPolicy: { local: true } } }),
  restored("a privilege", samples.constraints, { allowPrivilegedContainer: true }),
  restored("a user", samples.constraints, { users: ["me"] }),
  restored("a capability", samples.constraints, { allowedCapabilities: ["ALL"] }),
  restored("no privilege escalation", samples.constraints, { allowPrivilegeEscalation: false }),
  restored("a listed label of a cluster operator", samples.clusterOperator, label),
  kept("another label of a cluster operator", samples.clusterOperator, another),
  kept("the volume that a claim was bound to", samples.claim, { spec: { volumeName: "bound" } }),
  restored("another peer", samples.networkPolicy, add("/spec/ingress/-", {})),
  restored("another selector of a budget", samples.disruptionBudget, {
    spec: { selector: { matchLabels: { mine: "1" } } },
  }),
  restored("another precedence", samples.flowSchema, { spec: { matchingPrecedence: 5 } }),
  restored("another key of a secret", samples.secret, { data: { mine: "AAEC" } }),
  restored("a listed key of a secret", samples.secret, { data: { key: "AAEC" } }),
  restored("another failure policy", samples.validating, add("/webhooks/0/failurePolicy", "Fail")),
  restored(
    "an added rule",
    samples.mutating,
    add("/webhooks/0/rules/-", {
      apiGroups: ["x"],
      apiVersions: ["v1"],
      operations: ["CREATE"],
      resources: ["y"],
    }),
  ),
];

export const edits: readonly Edit[] = [...workloads, ...core, ...rights, ...others];
