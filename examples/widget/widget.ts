import * as z from "zod";
import { defineKind } from "../../shared/function/index.ts";

const condition = z.object({
  type: z.enum(["Ready"]),
  status: z.enum(["True", "False", "Unknown"]),
  reason: z.string().optional(),
  message: z.string().optional(),
  observedGeneration: z.int().optional(),
  lastTransitionTime: z.iso.datetime({ offset: true }).optional(),
});

/** A number to double, and a message to keep in a ConfigMap. */
export class Widget extends defineKind({
  group: "bench.example.org",
  version: "v1",
  kind: "Widget",
  scope: "Namespaced",
  description: "A number to double, and a message to keep in a ConfigMap.",
  fields: { spec: z.object({ value: z.int(), message: z.string(), ref: z.string().optional() }) },
  status: z.object({
    observedGeneration: z.int().optional(),
    doubled: z.int().optional(),
    conditions: z
      .array(condition)
      .meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] })
      .optional(),
  }),
  columns: [
    { name: "Value", type: "integer", jsonPath: ".spec.value" },
    { name: "Doubled", type: "integer", jsonPath: ".status.doubled" },
    { name: "Ready", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  ready: (it) => it.status.conditions.of("Ready").status.is("True"),
}) {}
