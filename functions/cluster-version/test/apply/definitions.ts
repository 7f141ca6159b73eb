import type { KubeObject } from "../../../../shared/kube/object.ts";
import { clusterWide, manifest } from "./manifest.ts";

/** The CRD of a kind, with a status and a column. */
export const definition = (group: string, kind: string, scope: string, schema: unknown): KubeObject => {
  const plural = kind === "SecurityContextConstraints" ? kind.toLowerCase() : `${kind.toLowerCase()}s`;
  return manifest(
    "apiextensions.k8s.io/v1",
    "CustomResourceDefinition",
    `${plural}.${group}`,
    {
      spec: {
        group,
        scope,
        names: { kind, plural, singular: "", shortNames: [] },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            deprecated: false,
            schema: { openAPIV3Schema: schema },
            subresources: { status: {} },
            additionalPrinterColumns: [
              {
                name: "Age",
                type: "date",
                jsonPath: ".metadata.creationTimestamp",
                priority: 0,
                description: "",
              },
            ],
          },
        ],
      },
      status: { acceptedNames: { kind: "", plural: "" }, conditions: [], storedVersions: [] },
    },
    clusterWide,
  );
};

const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** The CRD of a kind whose schema has defaults. */
export const widgets = definition("demo.example.org", "Widget", "Namespaced", {
  type: "object",
  description: "",
  required: [],
  properties: {
    spec: {
      type: "object",
      nullable: false,
      properties: {
        size: { type: "integer", minimum: 0.0, default: 3 },
        mode: { type: "string", default: "", enum: ["", "fast"] },
        required: { type: "boolean", default: false },
        properties: { type: "object", default: {}, additionalProperties: { type: "string" } },
        parts: {
          type: "array",
          items: {
            type: "object",
            properties: { name: { type: "string" }, weight: { type: "integer", default: 1 } },
          },
        },
        free: anything,
      },
    },
    status: anything,
  },
});

const anySchema = { ...anything, properties: { spec: anything, status: anything } };
/** All of them. */
export const definitions: readonly KubeObject[] = [
  widgets,
  definition("image.openshift.io", "ImageStream", "Namespaced", anySchema),
  definition("security.openshift.io", "SecurityContextConstraints", "Cluster", {
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
    required: [
      "allowedCapabilities",
      "defaultAddCapabilities",
      "priority",
      "requiredDropCapabilities",
      "volumes",
    ],
    properties: Object.fromEntries(
      ["allowedCapabilities", "defaultAddCapabilities", "requiredDropCapabilities", "volumes"]
        .map((name): readonly [string, unknown] => [
          name,
          { type: "array", nullable: true, items: { type: "string" } },
        ])
        .concat([["priority", { type: "integer", nullable: true }]]),
    ),
  }),
  definition("config.openshift.io", "ClusterOperator", "Cluster", {
    ...anySchema,
    required: ["spec"],
  }),
];
