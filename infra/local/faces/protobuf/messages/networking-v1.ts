// Written by infra/protobuf/generate.ts from api@v0.37.0/networking/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of networking.v1: see `../table.ts` for how a line is read. */
export const networkingV1 = `
HTTPIngressPath path=1s? pathType=3s backend=2.IngressBackend
HTTPIngressRuleValue paths=1[.HTTPIngressPath]
IPAddress metadata=1.meta.v1.ObjectMeta spec=2.IPAddressSpec
IPAddressSpec parentRef=1.ParentReference
IPBlock cidr=1s except=2[s]
Ingress metadata=1.meta.v1.ObjectMeta spec=2.IngressSpec status=3.IngressStatus
IngressBackend service=4.IngressServiceBackend resource=3.core.v1.TypedLocalObjectReference
IngressClass metadata=1.meta.v1.ObjectMeta spec=2.IngressClassSpec
IngressClassParametersReference apiGroup=1s kind=2s name=3s scope=4s namespace=5s
IngressClassSpec controller=1s? parameters=2.IngressClassParametersReference
IngressLoadBalancerIngress ip=1s? hostname=2s? ports=4[.IngressPortStatus]
IngressLoadBalancerStatus ingress=1[.IngressLoadBalancerIngress]
IngressPortStatus port=1i protocol=2s error=3s
IngressRule host=1s? =2.IngressRuleValue
IngressRuleValue http=1.HTTPIngressRuleValue
IngressServiceBackend name=1s port=2.ServiceBackendPort
IngressSpec ingressClassName=4s defaultBackend=1.IngressBackend tls=2[.IngressTLS] rules=3[.IngressRule]
IngressStatus loadBalancer=1.IngressLoadBalancerStatus
IngressTLS hosts=1[s] secretName=2s?
NetworkPolicy metadata=1.meta.v1.ObjectMeta spec=2.NetworkPolicySpec
NetworkPolicyEgressRule ports=1[.NetworkPolicyPort] to=2[.NetworkPolicyPeer]
NetworkPolicyIngressRule ports=1[.NetworkPolicyPort] from=2[.NetworkPolicyPeer]
NetworkPolicyPeer podSelector=1.meta.v1.LabelSelector namespaceSelector=2.meta.v1.LabelSelector ipBlock=3.IPBlock
NetworkPolicyPort protocol=1s port=2.IntOrString endPort=3i
NetworkPolicySpec podSelector=1.meta.v1.LabelSelector ingress=2[.NetworkPolicyIngressRule] egress=3[.NetworkPolicyEgressRule] policyTypes=4[s]
ParentReference group=1s? resource=2s? namespace=3s? name=4s?
ServiceBackendPort name=1s? number=2i?
ServiceCIDR metadata=1.meta.v1.ObjectMeta spec=2.ServiceCIDRSpec status=3.ServiceCIDRStatus
ServiceCIDRSpec cidrs=1[s]
ServiceCIDRStatus conditions=1[.meta.v1.Condition]
`;
