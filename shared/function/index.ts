export {
  type Duration,
  later,
  milliseconds,
  since,
  type Time,
  timeOf,
  toWholeSeconds,
} from "../clock/time.ts";
export { ClusterNameError, type ClusterReference, type ClusterSecret } from "../kube/cluster-names.ts";
export { type Clusters, defineClusters } from "../kube/clusters.ts";
export type {
  AnyObject,
  At,
  Body,
  Kind,
  KindDeclaration,
  Metadata,
  Obj,
  OwnedBody,
  ReplacedBody,
  Slot,
} from "../kube/kind.ts";
export { defineKind, type WithLabels, withLabels } from "../kube/kind.ts";
export type { SlotPlace, Unstructured } from "../kube/slot.ts";
export { defineDynamic } from "../kube/slot.ts";
export {
  type AdmissionContext,
  admission,
  allow,
  type BoundAdmission,
  deny,
  type Review,
} from "./admission.ts";
export type {
  AdmissionDeclaration,
  Allowed,
  Change,
  DenialCode,
  Denied,
  Operation,
  Verdict,
  WebhookOptions,
} from "./admission-declaration.ts";
export type {
  Context,
  Declaration,
  Ending,
  Finalizer,
  FunctionDeclaration,
  Outcome,
  Scope,
  Verb,
} from "./declaration.ts";
export * from "./effects.ts";
export { defineEvent, type EventType } from "./event-type.ts";
export { type BoundHook, type HookContext, type HookOptions, hook } from "./hook.ts";
export type { HookDeclaration, RequestHook } from "./hook-declaration.ts";
export type { BoundFunction, Group, Key, One } from "./key-declaration.ts";
export { all, allBy, allInNamespace, each } from "./key-declaration.ts";
export { type AnyPort, type BoundPort, type CallOptions, definePort, type Port } from "./port.ts";
export type { ClusterState, Reader } from "./reader.ts";
export { released } from "./released.ts";
export { Sealed } from "./sealed.ts";
export { DeclarationError, defineSystem, type Predecessor, type System } from "./system.ts";
export { TerminalError } from "./terminal-error.ts";
export type {
  Beat,
  BeatingTrigger,
  BeatNews,
  CertifiedTrigger,
  Notice,
  ProvenDelivery,
  Reading,
} from "./trigger.ts";
export { type Unreadable, unreadableIn } from "./unreadable.ts";
export type { Wait } from "./wait.ts";
export {
  type Awaited,
  awaited,
  changed,
  on,
  ready,
  type Said,
  type Selection,
  type Unwatched,
  unwatched,
  type Wake,
} from "./wakes.ts";
