import * as z from "zod";
import { defineKind } from "../kind.ts";

/** Confidential text. Its contents never travel: a function that waits for a Secret is told only that it changed. */
export class Secret extends defineKind({
  group: "",
  version: "v1",
  kind: "Secret",
  scope: "Namespaced",
  external: true,
  fields: {
    /** The contents in base64. */
    data: z.record(z.string(), z.string()).optional(),
    stringData: z.record(z.string(), z.string()).optional(),
    type: z.string().optional(),
    immutable: z.boolean().optional(),
  },
  facts: (it) => ({ version: it.metadata.resourceVersion }),
}) {}
