import * as z from "zod";
import { defineKind } from "../../shared/function/index.ts";

/** What the mistakes are made on. */
export class Gadget extends defineKind({
  group: "mistakes.example.org",
  version: "v1",
  kind: "Gadget",
  scope: "Namespaced",
  fields: {
    spec: z.object({
      size: z.number(),
      lock: z.string().optional(),
      parameters: z.record(z.string(), z.string()).optional(),
    }),
  },
  status: z.object({ state: z.enum(["Ready", "Error"]), note: z.string().optional() }),
  facts: (it) => ({ size: it.spec.size }),
  engineOwned: (it) => ({ lock: it.spec.lock }),
}) {}
