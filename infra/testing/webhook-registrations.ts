/** The registrations of validating webhooks, as a client asks for them. */
export const WEBHOOK_REGISTRATIONS = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  scope: "Cluster",
} as const;
