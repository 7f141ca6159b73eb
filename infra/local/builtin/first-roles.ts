import type { ApiObject } from "../resource-type.ts";

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const group = "rbac.authorization.k8s.io";
const read = ["get", "list", "watch"];
const write = ["create", "delete", "deletecollection", "patch", "update"];
const all = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
const rule = (groups: string | readonly string[], resources: string, verbs: readonly string[]): Rule => ({
  apiGroups: typeof groups === "string" ? [groups] : groups,
  resources: resources.split(" "),
  verbs,
});

const view: readonly Rule[] = [
  rule(
    "",
    "configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status",
    read,
  ),
  rule(
    "",
    "bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status",
    read,
  ),
  rule("", "namespaces", read),
  rule(["", "events.k8s.io"], "events", read),
  rule("discovery.k8s.io", "endpointslices", read),
  rule(
    "apps",
    "controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status",
    read,
  ),
  rule("autoscaling", "horizontalpodautoscalers horizontalpodautoscalers/status", read),
  rule("batch", "cronjobs cronjobs/status jobs jobs/status", read),
  rule(
    "extensions",
    "daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale",
    read,
  ),
  rule("policy", "poddisruptionbudgets poddisruptionbudgets/status", read),
  rule("networking.k8s.io", "ingresses ingresses/status networkpolicies", read),
  rule("resource.k8s.io", "resourceclaims resourceclaims/status resourceclaimtemplates", read),
];
const edit: readonly Rule[] = [
  rule("", "pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy", read),
  rule("", "serviceaccounts", ["impersonate"]),
  rule("", "pods pods/attach pods/exec pods/portforward pods/proxy", write),
  rule("", "pods/eviction", ["create"]),
  rule(
    "",
    "configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy",
    write,
  ),
  rule("", "serviceaccounts/token", ["create"]),
  rule(["", "events.k8s.io"], "events", write),
  rule(
    "apps",
    "daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale",
    write,
  ),
  rule("autoscaling", "horizontalpodautoscalers", write),
  rule("batch", "cronjobs jobs", write),
  rule(
    "extensions",
    "daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale",
    write,
  ),
  rule("policy", "poddisruptionbudgets", write),
  rule("networking.k8s.io", "ingresses networkpolicies", write),
  rule("coordination.k8s.io", "leases", all),
  rule("resource.k8s.io", "resourceclaims resourceclaimtemplates", write),
];
const admin: readonly Rule[] = [
  rule("authorization.k8s.io", "localsubjectaccessreviews", ["create"]),
  rule("rbac.authorization.k8s.io", "rolebindings roles", all),
];

const metadata = (name: string, aggregatesTo?: string): ApiObject["metadata"] => ({
  name,
  labels: {
    "kubernetes.io/bootstrapping": "rbac-defaults",
    ...(aggregatesTo === undefined ? {} : { [`${group}/aggregate-to-${aggregatesTo}`]: "true" }),
  },
  annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
});
const role = (name: string, rules: readonly object[], aggregatesTo?: string): ApiObject => ({
  apiVersion: `${group}/v1`,
  kind: "ClusterRole",
  metadata: metadata(name, aggregatesTo),
  rules,
});
/** A role whose rules are those of the roles with a label, as the controller of a whole cluster has filled them in. */
const aggregated = (name: string, rules: readonly object[], aggregatesTo?: string): ApiObject => ({
  ...role(name, rules, aggregatesTo),
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [`${group}/aggregate-to-${name}`]: "true" } }] },
});
const binding = (name: string, ...groups: readonly string[]): ApiObject => ({
  apiVersion: `${group}/v1`,
  kind: "ClusterRoleBinding",
  metadata: metadata(name),
  roleRef: { apiGroup: group, kind: "ClusterRole", name },
  subjects: groups.map((one) => ({ apiGroup: group, kind: "Group", name: one })),
});

const facts = ["/healthz", "/livez", "/readyz", "/version", "/version/"];
const discovery = ["/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*", ...facts].sort();

/** The roles that people bind to, and what every cluster gives to everybody. */
export const firstRoles: readonly ApiObject[] = [
  role("cluster-admin", [rule("*", "*", ["*"]), { nonResourceURLs: ["*"], verbs: ["*"] }]),
  aggregated("admin", [...edit, ...view, ...admin]),
  aggregated("edit", [...edit, ...view], "admin"),
  aggregated("view", view, "edit"),
  role("system:aggregate-to-admin", admin, "admin"),
  role("system:aggregate-to-edit", edit, "edit"),
  role("system:aggregate-to-view", view, "view"),
  role("system:basic-user", [
    rule("authorization.k8s.io", "selfsubjectaccessreviews selfsubjectrulesreviews", ["create"]),
    rule("authentication.k8s.io", "selfsubjectreviews", ["create"]),
  ]),
  role("system:discovery", [{ nonResourceURLs: discovery, verbs: ["get"] }]),
  role("system:public-info-viewer", [{ nonResourceURLs: facts, verbs: ["get"] }]),
  binding("cluster-admin", "system:masters"),
  binding("system:basic-user", "system:authenticated"),
  binding("system:discovery", "system:authenticated"),
  binding("system:public-info-viewer", "system:authenticated", "system:unauthenticated"),
];
