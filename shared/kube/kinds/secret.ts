import * as z from "zod";
import { defineKind } from "../kind.ts";

/** What only some may know. Its contents never travel: whoever waits for one is told that it changed. */
export class Secret extends defineKind({
  group: "",
  version: "v1",
  kind: "Secret",
  scope: "Namespaced",
  external: true,
  fields: {
    /** In base64. */
    data: z.record(z.string(), z.string()).optional(),
    stringData: z.record(z.string(), z.string()).optional(),
    type: z.string().optional(),
    immutable: z.boolean().optional(),
  },
  facts: (it) => ({ version: it.metadata.resourceVersion }),
}) {}
