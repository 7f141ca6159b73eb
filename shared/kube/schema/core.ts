import * as z from "zod";
import { atomic, int32, int64, keyed, microTime, oneOf, text, time } from "./words.ts";

export const ObjectReference = z
  .object({
    apiVersion: text.optional(),
    fieldPath: text.optional(),
    kind: text.optional(),
    name: text.optional(),
    namespace: text.optional(),
    resourceVersion: text.optional(),
    uid: text.optional(),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type ObjectReference = z.infer<typeof ObjectReference>;

export const NamespaceSpec = z.object({
  finalizers: atomic(text).optional(),
});
export type NamespaceSpec = z.infer<typeof NamespaceSpec>;

export const NamespaceCondition = z.object({
  lastTransitionTime: time.optional(),
  message: text.optional(),
  reason: text.optional(),
  status: text,
  type: text,
});
export type NamespaceCondition = z.infer<typeof NamespaceCondition>;

export const NamespaceStatus = z.object({
  conditions: keyed(NamespaceCondition, "type").optional(),
  phase: oneOf("Active", "Terminating").optional(),
});
export type NamespaceStatus = z.infer<typeof NamespaceStatus>;

export const EventSource = z.object({
  component: text.optional(),
  host: text.optional(),
});
export type EventSource = z.infer<typeof EventSource>;

export const EventSeries = z.object({
  count: int32.optional(),
  lastObservedTime: microTime.optional(),
});
export type EventSeries = z.infer<typeof EventSeries>;

export const Condition = z.object({
  lastTransitionTime: time,
  message: text,
  observedGeneration: int64.optional(),
  reason: text,
  status: text,
  type: text,
});
export type Condition = z.infer<typeof Condition>;
