/** Objects of the kubectl suite. */
export const configMap = (name: string, labels?: Readonly<Record<string, string>>) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...(labels === undefined ? {} : { labels }) },
  data: { k: "v" },
});

export const deployment = (
  name: string,
  labels: Readonly<Record<string, string>> = {},
  spec: object = {},
) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, labels },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          {
            name: "c",
            image: "nginx:1",
            ports: [{ containerPort: 80 }],
            resources: { requests: { cpu: "500m", memory: "1Gi" } },
          },
        ],
      },
    },
    ...spec,
  },
});

export const crontab = (name: string, spec: object = {}) => ({
  apiVersion: "test.example.org/v1",
  kind: "CronTab",
  metadata: { name },
  spec: { image: "img", ...spec },
});

export const crontabs = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "crontabs.test.example.org" },
  spec: {
    group: "test.example.org",
    scope: "Namespaced",
    names: {
      kind: "CronTab",
      plural: "crontabs",
      singular: "crontab",
      shortNames: ["ct"],
      categories: ["all"],
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.active" },
        },
        additionalPrinterColumns: [
          { name: "Image", type: "string", jsonPath: ".spec.image" },
          { name: "Replicas", type: "integer", jsonPath: ".spec.replicas" },
          { name: "Ready", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
          { name: "Rich", type: "string", jsonPath: ".spec.ports", priority: 1 },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: {
            type: "object",
            description: "Runs something by the clock.",
            required: ["spec"],
            properties: {
              spec: {
                type: "object",
                required: ["image"],
                properties: {
                  image: { type: "string", description: "What to run." },
                  replicas: { type: "integer", minimum: 0, maximum: 10 },
                  mode: { type: "string", enum: ["Fast", "Slow"], default: "Fast" },
                  ports: {
                    type: "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                    items: {
                      type: "object",
                      required: ["name"],
                      properties: { name: { type: "string" }, port: { "x-kubernetes-int-or-string": true } },
                    },
                  },
                  free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                },
              },
              status: {
                type: "object",
                properties: {
                  active: { type: "integer" },
                  conditions: {
                    type: "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["type"],
                    items: {
                      type: "object",
                      required: ["type", "status"],
                      properties: {
                        type: { type: "string" },
                        status: { type: "string" },
                        reason: { type: "string" },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

export const events = (namespace: string) => [
  {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "c.1", namespace },
    involvedObject: { apiVersion: "test.example.org/v1", kind: "CronTab", name: "c", namespace },
    type: "Warning",
    reason: "Late",
    message: "it is late",
    count: 3,
    firstTimestamp: "2026-01-01T00:00:00Z",
    lastTimestamp: "2026-01-01T00:05:00Z",
    source: { component: "clock" },
  },
  {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name: "c.2", namespace },
    eventTime: "2026-01-01T00:10:00.000000Z",
    reportingController: "example.org/clock",
    reportingInstance: "clock-0",
    action: "Ring",
    type: "Normal",
    reason: "OnTime",
    note: "it is on time",
    regarding: { apiVersion: "test.example.org/v1", kind: "CronTab", name: "c", namespace },
  },
];
