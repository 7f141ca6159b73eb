import type { Component } from "./components.ts";

/** A manifest before it is written down. */
export interface Generated {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

const rbac = "rbac.authorization.k8s.io";

export const namespaceOf = ({ name }: Component): string => `demo-${name}`;

const object = (
  apiVersion: string,
  kind: string,
  name: string,
  namespace: string | undefined,
  rest: Readonly<Record<string, unknown>>,
): Generated => ({
  apiVersion,
  kind,
  metadata: {
    name,
    ...(namespace !== undefined && { namespace }),
    labels: { "app.kubernetes.io/part-of": "demo" },
    annotations: { "include.release.openshift.io/self-managed-high-availability": "true" },
  },
  ...rest,
});

const rules = (resource: string): readonly unknown[] => [
  { apiGroups: [""], resources: [resource], verbs: ["get", "list", "watch"] },
  { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create", "get", "update"] },
];
const subjects = (component: Component): readonly unknown[] => [
  { kind: "ServiceAccount", name: "operator", namespace: namespaceOf(component) },
];

/** The manifests that every component brings, its namespace first. */
export function baseOf(component: Component, version: string): readonly Generated[] {
  const { name } = component;
  const namespace = namespaceOf(component);
  const labels = { app: `${name}-operator` };
  const container = {
    name: "operator",
    image: `reg.example/demo/${name}:${version}`,
    args: ["operator", `--release=${version}`],
    env: [{ name: "RELEASE_VERSION", value: version }],
    ports: [{ name: "metrics", containerPort: 8443 }],
    resources: { requests: { cpu: "10m", memory: "50Mi" } },
  };
  return [
    object("v1", "Namespace", namespace, undefined, {}),
    object("v1", "ServiceAccount", "operator", namespace, {}),
    object(`${rbac}/v1`, "ClusterRole", `demo-${name}`, undefined, { rules: rules("nodes") }),
    object(`${rbac}/v1`, "ClusterRoleBinding", `demo-${name}`, undefined, {
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: `demo-${name}` },
      subjects: subjects(component),
    }),
    object("v1", "ConfigMap", "operator-config", namespace, {
      data: { "config.yaml": `kind: OperatorConfig\nlogLevel: Normal\nrelease: ${version}\n` },
    }),
    object("v1", "Service", "metrics", namespace, {
      spec: {
        selector: labels,
        ports: [{ name: "https", port: 443, targetPort: "metrics", protocol: "TCP" }],
      },
    }),
    object("apps/v1", "Deployment", "operator", namespace, {
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { serviceAccountName: "operator", containers: [container] } },
      },
    }),
  ];
}

/** The last of a component: a gate. */
export const operatorOf = ({ name }: Component, version: string): Generated => {
  const gate = object("config.openshift.io/v1", "ClusterOperator", name, undefined, {});
  return { ...gate, spec: {}, status: { versions: [{ name: "operator", version }] } };
};

/** Ends with success or failure, and what comes after it waits. */
export const jobOf = (component: Component, version: string): Generated =>
  object("batch/v1", "Job", `migrate-${version.replaceAll(".", "-")}`, namespaceOf(component), {
    spec: {
      backoffLimit: 3,
      template: {
        spec: {
          restartPolicy: "Never",
          containers: [{ name: "migrate", image: `reg.example/demo/migrate:${version}` }],
        },
      },
    },
  });

/** Text of about the length that fields of real definitions are described with. */
const DESCRIPTION =
  "Tells the operator what is wanted of this part of its operand. Left out, the operator chooses, and what it chooses may change over time.";

/** About the size that definitions have in real payloads. */
function definitionOf({ name }: Component, n: number): Generated {
  const plural = `parts${n}`;
  const group = `${name}.demo.example`;
  const field = (at: number): readonly [string, unknown] => [
    `setting${at}`,
    { type: "string", description: DESCRIPTION },
  ];
  const properties = Object.fromEntries(Array.from({ length: 30 }, (_, at) => field(at)));
  return object("apiextensions.k8s.io/v1", "CustomResourceDefinition", `${plural}.${group}`, undefined, {
    spec: {
      group,
      scope: "Cluster",
      names: { kind: `Part${n}`, listKind: `Part${n}List`, plural, singular: `part${n}` },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } },
          },
        },
      ],
    },
  });
}

/** More of a component, of the kinds that payloads hold most of. */
export function moreOf(component: Component, n: number, version: string, definition: boolean): Generated {
  const namespace = namespaceOf(component);
  if (definition) return definitionOf(component, n);
  switch (n % 6) {
    case 0:
      return object("v1", "ConfigMap", `settings-${n}`, namespace, {
        data: { entry: `value ${n}`, text: DESCRIPTION },
      });
    case 1:
      return object(`${rbac}/v1`, "Role", `role-${n}`, namespace, { rules: rules("configmaps") });
    case 2:
      return object(`${rbac}/v1`, "RoleBinding", `binding-${n}`, namespace, {
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name: `demo-${component.name}` },
        subjects: subjects(component),
      });
    case 3:
      return object("v1", "ConfigMap", `release-${n}`, namespace, { data: { release: version } });
    case 4:
      return object("v1", "ServiceAccount", `account-${n}`, namespace, {});
    default:
      return object("v1", "Service", `service-${n}`, namespace, {
        spec: {
          selector: { app: `part-${n}` },
          ports: [{ name: "http", port: 80, targetPort: 8080, protocol: "TCP" }],
        },
      });
  }
}
