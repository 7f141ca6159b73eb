import * as z from "zod";
import { LabelSelector } from "../../../../shared/kube/schema/selectors.ts";
import { atomic, bytes, int32, keyed, oneOf, text } from "../../../../shared/kube/schema/words.ts";

export const AdmissionServiceReference = z.object({
  name: text,
  namespace: text,
  path: text.optional(),
  port: int32.optional(),
});
export type AdmissionServiceReference = z.infer<typeof AdmissionServiceReference>;

export const AdmissionWebhookClientConfig = z.object({
  caBundle: bytes.optional(),
  service: AdmissionServiceReference.optional(),
  url: text.optional(),
});
export type AdmissionWebhookClientConfig = z.infer<typeof AdmissionWebhookClientConfig>;

export const RuleWithOperations = z.object({
  apiGroups: atomic(text).optional(),
  apiVersions: atomic(text).optional(),
  operations: atomic(oneOf("*", "CONNECT", "CREATE", "DELETE", "UPDATE")).optional(),
  resources: atomic(text).optional(),
  scope: oneOf("*", "Cluster", "Namespaced").optional(),
});
export type RuleWithOperations = z.infer<typeof RuleWithOperations>;

export const MatchCondition = z.object({
  expression: text,
  name: text,
});
export type MatchCondition = z.infer<typeof MatchCondition>;

export const MutatingWebhook = z.object({
  admissionReviewVersions: atomic(text),
  clientConfig: AdmissionWebhookClientConfig,
  failurePolicy: oneOf("Fail", "Ignore").optional(),
  matchConditions: keyed(MatchCondition, "name").optional(),
  matchPolicy: oneOf("Equivalent", "Exact").optional(),
  name: text,
  namespaceSelector: LabelSelector.optional(),
  objectSelector: LabelSelector.optional(),
  reinvocationPolicy: oneOf("IfNeeded", "Never").optional(),
  rules: atomic(RuleWithOperations).optional(),
  sideEffects: oneOf("None", "NoneOnDryRun", "Some", "Unknown"),
  timeoutSeconds: int32.optional(),
});
export type MutatingWebhook = z.infer<typeof MutatingWebhook>;

export const ValidatingWebhook = z.object({
  admissionReviewVersions: atomic(text),
  clientConfig: AdmissionWebhookClientConfig,
  failurePolicy: oneOf("Fail", "Ignore").optional(),
  matchConditions: keyed(MatchCondition, "name").optional(),
  matchPolicy: oneOf("Equivalent", "Exact").optional(),
  name: text,
  namespaceSelector: LabelSelector.optional(),
  objectSelector: LabelSelector.optional(),
  rules: atomic(RuleWithOperations).optional(),
  sideEffects: oneOf("None", "NoneOnDryRun", "Some", "Unknown"),
  timeoutSeconds: int32.optional(),
});
export type ValidatingWebhook = z.infer<typeof ValidatingWebhook>;
