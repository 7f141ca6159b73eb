import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { present, successorOf } from "./index.ts";

type Fields = Readonly<Record<string, unknown>>;

const metadata = { name: "one", labels: { a: "b" } };
const object = (apiVersion: string, kind: string, fields: Fields): KubeObject => ({
  apiVersion,
  kind,
  metadata,
  ...fields,
});
const pods = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "main" }] } };
const BY_LABELS = { matchLabels: { app: "web" } };
const ONE_AT_A_TIME = { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } };
const REVIEWS = ["v1beta1"];

/** The kind, its old and its present version, and the fields in both. */
type Row = readonly [why: string, kind: string, from: string, said: Fields, to: string, present: Fields];

const MOVED: readonly Row[] = [
  [
    "as it is",
    "PodDisruptionBudget",
    "policy/v1beta1",
    { spec: { minAvailable: 2, selector: BY_LABELS } },
    "policy/v1",
    { spec: { minAvailable: 2, selector: BY_LABELS } },
  ],
  ["without a selector", "PodDisruptionBudget", "policy/v1beta1", { spec: {} }, "policy/v1", { spec: {} }],
  [
    "selector from labels, one pod at a time",
    "Deployment",
    "extensions/v1beta1",
    { spec: { replicas: 2, template: pods } },
    "apps/v1",
    { spec: { replicas: 2, template: pods, selector: BY_LABELS, strategy: ONE_AT_A_TIME } },
  ],
  [
    "all at once, as it says",
    "Deployment",
    "extensions/v1beta1",
    { spec: { template: pods, selector: { matchLabels: { x: "y" } }, strategy: { type: "Recreate" } } },
    "apps/v1",
    { spec: { template: pods, selector: { matchLabels: { x: "y" } }, strategy: { type: "Recreate" } } },
  ],
  [
    "more pods at a time, as it says",
    "Deployment",
    "extensions/v1beta1",
    { spec: { template: pods, selector: BY_LABELS, strategy: { rollingUpdate: { maxSurge: 3 } } } },
    "apps/v1",
    {
      spec: {
        template: pods,
        selector: BY_LABELS,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 3, maxUnavailable: 1 } },
      },
    },
  ],
  [
    "selector from labels",
    "Deployment",
    "apps/v1beta1",
    { spec: { template: pods } },
    "apps/v1",
    { spec: { template: pods, selector: BY_LABELS } },
  ],
  [
    "as it is",
    "Deployment",
    "apps/v1beta2",
    { spec: { template: pods, selector: BY_LABELS } },
    "apps/v1",
    { spec: { template: pods, selector: BY_LABELS } },
  ],
  [
    "pods are replaced when they are deleted",
    "StatefulSet",
    "apps/v1beta1",
    { spec: { serviceName: "web", template: pods } },
    "apps/v1",
    {
      spec: { serviceName: "web", template: pods, selector: BY_LABELS, updateStrategy: { type: "OnDelete" } },
    },
  ],
  [
    "as it says",
    "StatefulSet",
    "apps/v1beta1",
    { spec: { template: pods, updateStrategy: { type: "RollingUpdate" } } },
    "apps/v1",
    { spec: { template: pods, selector: BY_LABELS, updateStrategy: { type: "RollingUpdate" } } },
  ],
  [
    "pods are replaced when they are deleted",
    "DaemonSet",
    "extensions/v1beta1",
    { spec: { template: pods } },
    "apps/v1",
    { spec: { template: pods, selector: BY_LABELS, updateStrategy: { type: "OnDelete" } } },
  ],
  [
    "selector from labels",
    "ReplicaSet",
    "extensions/v1beta1",
    { spec: { template: pods } },
    "apps/v1",
    { spec: { template: pods, selector: BY_LABELS } },
  ],
  [
    "as it is",
    "NetworkPolicy",
    "extensions/v1beta1",
    { spec: { podSelector: {} } },
    "networking.k8s.io/v1",
    { spec: { podSelector: {} } },
  ],
  [
    "backends and path types",
    "Ingress",
    "networking.k8s.io/v1beta1",
    {
      spec: {
        backend: { serviceName: "web", servicePort: "http" },
        rules: [
          {
            host: "a.example.org",
            http: {
              paths: [
                { path: "/", backend: { serviceName: "web", servicePort: 80 } },
                { pathType: "Exact", backend: { resource: { kind: "Bucket", name: "b" } } },
              ],
            },
          },
          { host: "b.example.org" },
        ],
        tls: [{ hosts: ["a.example.org"] }],
      },
    },
    "networking.k8s.io/v1",
    {
      spec: {
        defaultBackend: { service: { name: "web", port: { name: "http" } } },
        rules: [
          {
            host: "a.example.org",
            http: {
              paths: [
                {
                  path: "/",
                  pathType: "ImplementationSpecific",
                  backend: { service: { name: "web", port: { number: 80 } } },
                },
                { pathType: "Exact", backend: { resource: { kind: "Bucket", name: "b" } } },
              ],
            },
          },
          { host: "b.example.org" },
        ],
        tls: [{ hosts: ["a.example.org"] }],
      },
    },
  ],
  [
    "a port in digits",
    "Ingress",
    "extensions/v1beta1",
    { spec: { backend: { serviceName: "web", servicePort: "8080" } } },
    "networking.k8s.io/v1",
    { spec: { defaultBackend: { service: { name: "web", port: { number: 8080 } } } } },
  ],
  [
    "as it is",
    "RoleBinding",
    "rbac.authorization.k8s.io/v1beta1",
    { roleRef: { name: "a" }, subjects: [] },
    "rbac.authorization.k8s.io/v1",
    { roleRef: { name: "a" }, subjects: [] },
  ],
  [
    "as it is",
    "CronJob",
    "batch/v1beta1",
    { spec: { schedule: "@daily" } },
    "batch/v1",
    { spec: { schedule: "@daily" } },
  ],
  [
    "one version without a schema",
    "CustomResourceDefinition",
    "apiextensions.k8s.io/v1beta1",
    { spec: { group: "g", names: { kind: "K" }, scope: "Namespaced", version: "v1" }, status: {} },
    "apiextensions.k8s.io/v1",
    {
      spec: {
        group: "g",
        names: { kind: "K" },
        scope: "Namespaced",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        ],
      },
    },
  ],
  [
    "what was said once for all versions",
    "CustomResourceDefinition",
    "apiextensions.k8s.io/v1beta1",
    {
      spec: {
        group: "g",
        version: "v2",
        versions: [
          { name: "v2", served: true, storage: true },
          { name: "v1", served: true, storage: false, schema: { openAPIV3Schema: { description: "old" } } },
        ],
        preserveUnknownFields: false,
        validation: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object" } } } },
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: "Age", type: "date", JSONPath: ".metadata.creationTimestamp" }],
        conversion: { strategy: "Webhook", webhookClientConfig: { url: "https://a" } },
      },
    },
    "apiextensions.k8s.io/v1",
    {
      spec: {
        group: "g",
        conversion: {
          strategy: "Webhook",
          webhook: { clientConfig: { url: "https://a" }, conversionReviewVersions: REVIEWS },
        },
        versions: [
          ["v2", true, { type: "object", properties: { spec: { type: "object" } } }] as const,
          ["v1", false, { type: "object", description: "old" }] as const,
        ].map(([name, storage, openAPIV3Schema]) => ({
          name,
          served: true,
          storage,
          schema: { openAPIV3Schema },
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
        })),
      },
    },
  ],
  [
    "its defaults stay",
    "ValidatingWebhookConfiguration",
    "admissionregistration.k8s.io/v1beta1",
    { webhooks: [{ name: "a", sideEffects: "None", timeoutSeconds: 3 }] },
    "admissionregistration.k8s.io/v1",
    {
      webhooks: [
        {
          name: "a",
          sideEffects: "None",
          timeoutSeconds: 3,
          failurePolicy: "Ignore",
          matchPolicy: "Exact",
          admissionReviewVersions: REVIEWS,
        },
      ],
    },
  ],
  [
    "metrics have targets",
    "HorizontalPodAutoscaler",
    "autoscaling/v2beta1",
    {
      spec: {
        maxReplicas: 3,
        metrics: [
          { type: "Resource", resource: { name: "cpu", targetAverageUtilization: 50 } },
          { type: "Resource", resource: { name: "memory", targetAverageValue: "1Gi" } },
          { type: "Pods", pods: { metricName: "hits", targetAverageValue: "10" } },
          {
            type: "Object",
            object: { target: { kind: "Ingress", name: "i" }, metricName: "hits", targetValue: "7" },
          },
          {
            type: "External",
            external: { metricName: "queue", metricSelector: BY_LABELS, targetValue: "9" },
          },
        ],
      },
    },
    "autoscaling/v2",
    {
      spec: {
        maxReplicas: 3,
        metrics: [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
          },
          {
            type: "Resource",
            resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } },
          },
          {
            type: "Pods",
            pods: { metric: { name: "hits" }, target: { type: "AverageValue", averageValue: "10" } },
          },
          {
            type: "Object",
            object: {
              describedObject: { kind: "Ingress", name: "i" },
              metric: { name: "hits" },
              target: { type: "Value", value: "7" },
            },
          },
          {
            type: "External",
            external: {
              metric: { name: "queue", selector: BY_LABELS },
              target: { type: "Value", value: "9" },
            },
          },
        ],
      },
    },
  ],
  [
    "its handler",
    "RuntimeClass",
    "node.k8s.io/v1alpha1",
    { spec: { runtimeHandler: "runc", scheduling: { nodeSelector: { a: "b" } } } },
    "node.k8s.io/v1",
    { handler: "runc", scheduling: { nodeSelector: { a: "b" } } },
  ],
  [
    "its shares",
    "PriorityLevelConfiguration",
    "flowcontrol.apiserver.k8s.io/v1beta2",
    { spec: { type: "Limited", limited: { assuredConcurrencyShares: 5 } } },
    "flowcontrol.apiserver.k8s.io/v1",
    { spec: { type: "Limited", limited: { nominalConcurrencyShares: 5 } } },
  ],
];

const HOMELESS: readonly (readonly [kind: string, from: string, said: Fields, homeless: string])[] = [
  [
    "PodDisruptionBudget",
    "policy/v1beta1",
    { spec: { selector: {} } },
    "an empty spec.selector, which meant no pod and would mean all",
  ],
  ["Deployment", "extensions/v1beta1", { spec: { rollbackTo: {}, template: pods } }, "spec.rollbackTo"],
  [
    "Deployment",
    "apps/v1beta1",
    { spec: { template: { spec: {} } } },
    "a spec without a selector, where the pod template has no labels",
  ],
  ["DaemonSet", "apps/v1beta2", { spec: { templateGeneration: 3 } }, "spec.templateGeneration"],
  [
    "CustomResourceDefinition",
    "apiextensions.k8s.io/v1beta1",
    { spec: {} },
    "a spec with a version that has no name",
  ],
  [
    "MutatingWebhookConfiguration",
    "admissionregistration.k8s.io/v1beta1",
    { webhooks: [{ name: "a", sideEffects: "Some" }] },
    "the webhook a, which does not say that it has no sideEffects",
  ],
  ["CertificateSigningRequest", "certificates.k8s.io/v1beta1", { spec: {} }, "a spec without a signerName"],
  [
    "EndpointSlice",
    "discovery.k8s.io/v1beta1",
    { endpoints: [{ topology: { zone: "a" } }] },
    "topology of endpoints",
  ],
];

describe("an object of an API version that Kubernetes dropped", () => {
  it.each(MOVED)("%s: %s of %s", (_, kind, from, said, to, now) => {
    assert.deepEqual(present(object(from, kind, said)), { object: object(to, kind, now) });
    assert.equal(successorOf({ apiVersion: from, kind })?.apiVersion, to);
  });

  it.each(HOMELESS)("has something that has no place: %s of %s", (kind, from, said, homeless) =>
    assert.deepEqual(present(object(from, kind, said)), { homeless }),
  );

  it("may have no successor", () => {
    const policy = { apiVersion: "policy/v1beta1", kind: "PodSecurityPolicy" };
    assert.equal(successorOf(policy)?.apiVersion, undefined);
    assert.equal(successorOf(policy)?.gone, "1.25");
    assert.equal(present({ ...policy, metadata }), undefined);
  });

  it("is none of which Kubernetes never had such a version", () => {
    for (const apiVersion of ["policy/v1", "policy/v2", "example.org/v1beta1"]) {
      const named = { apiVersion, kind: "PodDisruptionBudget" };
      assert.equal(successorOf(named), undefined);
      assert.equal(present({ ...named, metadata }), undefined);
    }
  });

  it("is not written to", () => {
    const said = object("extensions/v1beta1", "Deployment", { spec: { template: pods } });
    const before = structuredClone(said);
    present(said);
    assert.deepEqual(said, before);
  });
});
