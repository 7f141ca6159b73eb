import * as z from "zod";
import { defineKind } from "../kind.ts";

/** Configuration as text. Its contents never travel as facts. */
export class ConfigMap extends defineKind({
  group: "",
  version: "v1",
  kind: "ConfigMap",
  scope: "Namespaced",
  external: true,
  shortNames: ["cm"],
  fields: {
    data: z.record(z.string(), z.string()).optional(),
    binaryData: z.record(z.string(), z.string()).optional(),
    immutable: z.boolean().optional(),
  },
  // Whoever reads a ConfigMap is told that it changed, never what it holds.
  facts: (it) => ({ version: it.metadata.resourceVersion }),
}) {}
