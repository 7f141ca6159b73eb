import * as z from "zod";
import { TypedLocalObjectReference } from "./references.ts";
import { LabelSelector } from "./selectors.ts";
import { atomic, int32, intOrString, oneOf, text } from "./words.ts";

export const ServiceBackendPort = z
  .object({
    name: text.optional(),
    number: int32.optional(),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type ServiceBackendPort = z.infer<typeof ServiceBackendPort>;

export const IngressServiceBackend = z.object({
  name: text,
  port: ServiceBackendPort.optional(),
});
export type IngressServiceBackend = z.infer<typeof IngressServiceBackend>;

export const IngressBackend = z.object({
  resource: TypedLocalObjectReference.optional(),
  service: IngressServiceBackend.optional(),
});
export type IngressBackend = z.infer<typeof IngressBackend>;

export const HTTPIngressPath = z.object({
  backend: IngressBackend,
  path: text.optional(),
  pathType: oneOf("Exact", "ImplementationSpecific", "Prefix"),
});
export type HTTPIngressPath = z.infer<typeof HTTPIngressPath>;

export const HTTPIngressRuleValue = z.object({
  paths: atomic(HTTPIngressPath),
});
export type HTTPIngressRuleValue = z.infer<typeof HTTPIngressRuleValue>;

export const IngressRule = z.object({
  host: text.optional(),
  http: HTTPIngressRuleValue.optional(),
});
export type IngressRule = z.infer<typeof IngressRule>;

export const IngressTLS = z.object({
  hosts: atomic(text).optional(),
  secretName: text.optional(),
});
export type IngressTLS = z.infer<typeof IngressTLS>;

export const IngressSpec = z.object({
  defaultBackend: IngressBackend.optional(),
  ingressClassName: text.optional(),
  rules: atomic(IngressRule).optional(),
  tls: atomic(IngressTLS).optional(),
});
export type IngressSpec = z.infer<typeof IngressSpec>;

export const IngressPortStatus = z.object({
  error: text.optional(),
  port: int32,
  protocol: oneOf("SCTP", "TCP", "UDP"),
});
export type IngressPortStatus = z.infer<typeof IngressPortStatus>;

export const IngressLoadBalancerIngress = z.object({
  hostname: text.optional(),
  ip: text.optional(),
  ports: atomic(IngressPortStatus).optional(),
});
export type IngressLoadBalancerIngress = z.infer<typeof IngressLoadBalancerIngress>;

export const IngressLoadBalancerStatus = z.object({
  ingress: atomic(IngressLoadBalancerIngress).optional(),
});
export type IngressLoadBalancerStatus = z.infer<typeof IngressLoadBalancerStatus>;

export const IngressStatus = z.object({
  loadBalancer: IngressLoadBalancerStatus.optional(),
});
export type IngressStatus = z.infer<typeof IngressStatus>;

export const IngressClassParametersReference = z.object({
  apiGroup: text.optional(),
  kind: text,
  name: text,
  namespace: text.optional(),
  scope: text.optional(),
});
export type IngressClassParametersReference = z.infer<typeof IngressClassParametersReference>;

export const IngressClassSpec = z.object({
  controller: text.optional(),
  parameters: IngressClassParametersReference.optional(),
});
export type IngressClassSpec = z.infer<typeof IngressClassSpec>;

export const IPBlock = z.object({
  cidr: text,
  except: atomic(text).optional(),
});
export type IPBlock = z.infer<typeof IPBlock>;

export const NetworkPolicyPeer = z.object({
  ipBlock: IPBlock.optional(),
  namespaceSelector: LabelSelector.optional(),
  podSelector: LabelSelector.optional(),
});
export type NetworkPolicyPeer = z.infer<typeof NetworkPolicyPeer>;

export const NetworkPolicyPort = z.object({
  endPort: int32.optional(),
  port: intOrString.optional(),
  protocol: oneOf("SCTP", "TCP", "UDP").optional(),
});
export type NetworkPolicyPort = z.infer<typeof NetworkPolicyPort>;

export const NetworkPolicyEgressRule = z.object({
  ports: atomic(NetworkPolicyPort).optional(),
  to: atomic(NetworkPolicyPeer).optional(),
});
export type NetworkPolicyEgressRule = z.infer<typeof NetworkPolicyEgressRule>;

export const NetworkPolicyIngressRule = z.object({
  from: atomic(NetworkPolicyPeer).optional(),
  ports: atomic(NetworkPolicyPort).optional(),
});
export type NetworkPolicyIngressRule = z.infer<typeof NetworkPolicyIngressRule>;

export const NetworkPolicySpec = z.object({
  egress: atomic(NetworkPolicyEgressRule).optional(),
  ingress: atomic(NetworkPolicyIngressRule).optional(),
  podSelector: LabelSelector.optional(),
  policyTypes: atomic(oneOf("Egress", "Ingress")).optional(),
});
export type NetworkPolicySpec = z.infer<typeof NetworkPolicySpec>;
