import * as z from "zod";
import { defineKind } from "../../shared/function/index.ts";

/** The kinds that the engine's own suites work on. */
export class Tank extends defineKind({
  group: "engine.example.org",
  version: "v1",
  kind: "Tank",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int(), pump: z.string().optional(), lock: z.string().optional() }) },
  status: z.object({
    observedGeneration: z.int().optional(),
    level: z.int().optional(),
    note: z.string().optional(),
    error: z.string().optional(),
  }),
  facts: (it) => ({ pump: it.spec.pump, size: it.spec.size }),
  engineOwned: (it) => ({ lock: it.spec.lock }),
}) {}

export class Pump extends defineKind({
  group: "engine.example.org",
  version: "v1",
  kind: "Pump",
  scope: "Namespaced",
  fields: { spec: z.object({ rate: z.int() }) },
  status: z.object({ running: z.boolean() }),
  facts: (it) => ({ rate: it.spec.rate }),
  ready: (it) => it.status.running.is(true),
}) {}

export const tank = (name: string, spec: { readonly size: number; readonly pump?: string }) => ({
  apiVersion: "engine.example.org/v1",
  kind: "Tank",
  metadata: { name, namespace: "default" },
  spec,
});
export const pump = (name: string, rate: number) => ({
  apiVersion: "engine.example.org/v1",
  kind: "Pump",
  metadata: { name, namespace: "default" },
  spec: { rate },
});
