import * as z from "zod";
import { atomic, int32, int64, intOrString, oneOf, text } from "./words.ts";

export const ExecAction = z.object({
  command: atomic(text).optional(),
});
export type ExecAction = z.infer<typeof ExecAction>;

export const HTTPHeader = z.object({
  name: text,
  value: text,
});
export type HTTPHeader = z.infer<typeof HTTPHeader>;

export const HTTPGetAction = z.object({
  host: text.optional(),
  httpHeaders: atomic(HTTPHeader).optional(),
  path: text.optional(),
  port: intOrString,
  scheme: oneOf("HTTP", "HTTPS").optional(),
});
export type HTTPGetAction = z.infer<typeof HTTPGetAction>;

export const TCPSocketAction = z.object({
  host: text.optional(),
  port: intOrString,
});
export type TCPSocketAction = z.infer<typeof TCPSocketAction>;

export const SleepAction = z.object({
  seconds: int64,
});
export type SleepAction = z.infer<typeof SleepAction>;

export const GRPCAction = z.object({
  port: int32,
  service: text.optional(),
});
export type GRPCAction = z.infer<typeof GRPCAction>;

/** Asks a container whether it is alive, ready or started. */
export const Probe = z.object({
  exec: ExecAction.optional(),
  failureThreshold: int32.optional(),
  grpc: GRPCAction.optional(),
  httpGet: HTTPGetAction.optional(),
  initialDelaySeconds: int32.optional(),
  periodSeconds: int32.optional(),
  successThreshold: int32.optional(),
  tcpSocket: TCPSocketAction.optional(),
  terminationGracePeriodSeconds: int64.optional(),
  timeoutSeconds: int32.optional(),
});
export type Probe = z.infer<typeof Probe>;

export const LifecycleHandler = z.object({
  exec: ExecAction.optional(),
  httpGet: HTTPGetAction.optional(),
  sleep: SleepAction.optional(),
  tcpSocket: TCPSocketAction.optional(),
});
export type LifecycleHandler = z.infer<typeof LifecycleHandler>;

export const Lifecycle = z.object({
  postStart: LifecycleHandler.optional(),
  preStop: LifecycleHandler.optional(),
  stopSignal: text.optional(),
});
export type Lifecycle = z.infer<typeof Lifecycle>;
