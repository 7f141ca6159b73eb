import { samples } from "../local/builtin/samples.ts";

/** Prints one object a line, for `record/`: the samples of built-in kinds, and what clients send beside objects. */
const metadata = { name: "a", namespace: "default" };
const more = [
  {
    apiVersion: "v1",
    kind: "DeleteOptions",
    gracePeriodSeconds: 0,
    preconditions: { uid: "u", resourceVersion: "7" },
    propagationPolicy: "Foreground",
    dryRun: ["All"],
  },
  { apiVersion: "apps/v1", kind: "DeleteOptions", orphanDependents: false },
  { apiVersion: "policy/v1", kind: "Eviction", metadata, deleteOptions: { gracePeriodSeconds: 5 } },
  { apiVersion: "autoscaling/v1", kind: "Scale", metadata, spec: { replicas: 3 } },
  {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata,
    spec: {
      minReplicas: 0,
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
        },
        {
          type: "Pods",
          pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "1500m" } },
        },
      ],
      behavior: { scaleDown: { policies: [{ type: "Pods", value: 4, periodSeconds: 60 }] } },
    },
  },
  {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    metadata,
    spec: { audiences: ["a", "b"], expirationSeconds: 600, boundObjectRef: { kind: "Pod", name: "p" } },
  },
  {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec: { user: "u", extra: { scopes: ["a", "b"] }, resourceAttributes: { verb: "get", resource: "pods" } },
  },
  {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata,
    eventTime: "2026-01-02T03:04:05.000678Z",
    reportingController: "c",
    reportingInstance: "i",
    action: "Tried",
    reason: "Because",
    type: "Normal",
    regarding: { kind: "Pod", name: "p", namespace: "default" },
    series: { count: 3, lastObservedTime: "2026-01-02T03:04:06.000000Z" },
  },
  {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      ...metadata,
      creationTimestamp: "2026-01-02T03:04:05Z",
      managedFields: [
        {
          manager: "m",
          operation: "Update",
          apiVersion: "coordination.k8s.io/v1",
          time: "2026-01-02T03:04:05Z",
          fieldsType: "FieldsV1",
          fieldsV1: { "f:spec": { "f:holderIdentity": {} } },
        },
      ],
    },
    spec: {
      holderIdentity: "",
      leaseDurationSeconds: 15,
      acquireTime: "2026-01-02T03:04:05.120000Z",
      renewTime: "2026-01-02T03:04:05.000009Z",
      leaseTransitions: 0,
    },
  },
  {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.org" },
    spec: {
      group: "example.org",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                number: { type: "number", minimum: 0, maximum: 1.5, default: 0.5 },
                list: { type: "array", items: { type: "string", enum: ["a", "b"] }, default: ["a"] },
                open: { type: "object", additionalProperties: true },
                map: { type: "object", additionalProperties: { type: "integer" } },
                any: { "x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true },
              },
              "x-kubernetes-validations": [{ rule: "self.number < 1.0", optionalOldSelf: true }],
            },
          },
        },
      ],
    },
  },
];

for (const object of [...Object.values(samples), ...more])
  process.stdout.write(`${JSON.stringify(object)}\n`);
