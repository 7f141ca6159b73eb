import * as z from "zod";
import { Condition } from "./core.ts";
import { atomic, flag, int32, intOrString, keyed, mapOf, oneOf, text } from "./words.ts";

export const ClientIPConfig = z.object({
  timeoutSeconds: int32.optional(),
});
export type ClientIPConfig = z.infer<typeof ClientIPConfig>;

export const SessionAffinityConfig = z.object({
  clientIP: ClientIPConfig.optional(),
});
export type SessionAffinityConfig = z.infer<typeof SessionAffinityConfig>;

export const ServicePort = z.object({
  appProtocol: text.optional(),
  name: text.optional(),
  nodePort: int32.optional(),
  port: int32,
  protocol: oneOf("SCTP", "TCP", "UDP").default("TCP"),
  targetPort: intOrString.optional(),
});
export type ServicePort = z.infer<typeof ServicePort>;

export const ServiceSpec = z.object({
  allocateLoadBalancerNodePorts: flag.optional(),
  clusterIP: text.optional(),
  clusterIPs: atomic(text).optional(),
  externalIPs: atomic(text).optional(),
  externalName: text.optional(),
  externalTrafficPolicy: oneOf("Cluster", "Local").optional(),
  healthCheckNodePort: int32.optional(),
  internalTrafficPolicy: oneOf("Cluster", "Local").optional(),
  ipFamilies: atomic(oneOf("", "IPv4", "IPv6")).optional(),
  ipFamilyPolicy: oneOf("PreferDualStack", "RequireDualStack", "SingleStack").optional(),
  loadBalancerClass: text.optional(),
  loadBalancerIP: text.optional(),
  loadBalancerSourceRanges: atomic(text).optional(),
  ports: keyed(ServicePort, "port", "protocol").optional(),
  publishNotReadyAddresses: flag.optional(),
  selector: mapOf(text).meta({ "x-kubernetes-map-type": "atomic" }).optional(),
  sessionAffinity: oneOf("ClientIP", "None").optional(),
  sessionAffinityConfig: SessionAffinityConfig.optional(),
  trafficDistribution: text.optional(),
  type: oneOf("ClusterIP", "ExternalName", "LoadBalancer", "NodePort").optional(),
});
export type ServiceSpec = z.infer<typeof ServiceSpec>;

export const PortStatus = z.object({
  error: text.optional(),
  port: int32,
  protocol: oneOf("SCTP", "TCP", "UDP"),
});
export type PortStatus = z.infer<typeof PortStatus>;

export const LoadBalancerIngress = z.object({
  hostname: text.optional(),
  ip: text.optional(),
  ipMode: text.optional(),
  ports: atomic(PortStatus).optional(),
});
export type LoadBalancerIngress = z.infer<typeof LoadBalancerIngress>;

export const LoadBalancerStatus = z.object({
  ingress: atomic(LoadBalancerIngress).optional(),
});
export type LoadBalancerStatus = z.infer<typeof LoadBalancerStatus>;

export const ServiceStatus = z.object({
  conditions: keyed(Condition, "type").optional(),
  loadBalancer: LoadBalancerStatus.optional(),
});
export type ServiceStatus = z.infer<typeof ServiceStatus>;
