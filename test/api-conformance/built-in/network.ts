import { type Judged, of } from "./object.ts";

const ingress = (spec: object): Judged => of("networking.k8s.io/v1", "Ingress", { spec });
const service = { name: "s", port: { number: 80 } };
const path = (fields: object): Judged =>
  ingress({
    rules: [{ http: { paths: [{ path: "/", pathType: "Prefix", backend: { service }, ...fields }] } }],
  });
const backend = (fields: object): Judged => ingress({ defaultBackend: fields });
const host = (name: string): Judged =>
  ingress({
    rules: [{ host: name, http: { paths: [{ path: "/", pathType: "Exact", backend: { service } }] } }],
  });

const policy = (spec: object): Judged =>
  of("networking.k8s.io/v1", "NetworkPolicy", { spec: { podSelector: {}, ...spec } });
const from = (peer: object): Judged => policy({ ingress: [{ from: [peer] }] });
const to = (port: object): Judged => policy({ egress: [{ ports: [port] }] });

const svc = (spec: object, name = "a"): Judged => of("v1", "Service", { spec }, name);
const nodePort = (fields: object): Judged => svc({ type: "NodePort", ports: [{ port: 80, ...fields }] });

/** Ingresses, NetworkPolicies and Services, good and bad. */
export const network: Readonly<Record<string, Judged>> = {
  "an Ingress's host with an underscore": host("a_b"),
  "an Ingress's wildcard host": host("*.example.org"),
  "an Ingress's bare wildcard": host("*"),
  "an Ingress's wildcard in the middle": host("a.*.org"),
  "an Ingress's host that is an address": host("1.2.3.4"),
  "an Ingress's host that is upper case": host("A.example.org"),
  "an Ingress's rule without paths": ingress({ rules: [{ host: "a.org", http: { paths: [] } }] }),
  "an Ingress's rule with a host alone": ingress({ rules: [{ host: "a.org" }] }),
  "an Ingress's empty backend": backend({}),
  "an Ingress's backend of both sorts": backend({ service, resource: { kind: "B", name: "b" } }),
  "an Ingress's resource": backend({ resource: { apiGroup: "x.org", kind: "B", name: "b" } }),
  "an Ingress's resource without a name": backend({ resource: { apiGroup: "x.org", kind: "B", name: "" } }),
  "an Ingress's backend without a name": backend({ service: { name: "", port: { number: 80 } } }),
  "an Ingress's backend with a bad name": backend({ service: { name: "A_b", port: { number: 80 } } }),
  "an Ingress's backend without a port": backend({ service: { name: "s" } }),
  "an Ingress's backend with an empty port": backend({ service: { name: "s", port: {} } }),
  "an Ingress's backend with two ports": backend({ service: { name: "s", port: { name: "h", number: 80 } } }),
  "an Ingress's backend with a port out of range": backend({
    service: { name: "s", port: { number: 70000 } },
  }),
  "an Ingress's backend with a bad port name": backend({ service: { name: "s", port: { name: "no_good" } } }),
  "an Ingress's path without a backend": path({ backend: {} }),
  "an Ingress's path without a type": path({ pathType: undefined }),
  "an Ingress's path of an unknown type": path({ pathType: "Regex" }),
  "an Ingress's relative path": path({ path: "a" }),
  "an Ingress's path with doubled slashes": path({ path: "/a//b" }),
  "an Ingress's path with a dot": path({ path: "/a/./b" }),
  "an Ingress's path that goes up": path({ path: "/a/.." }),
  "an Ingress's path with an escaped slash": path({ path: "/a%2fb" }),
  "an Ingress's path of the controller's own sort": path({ pathType: "ImplementationSpecific", path: "a" }),
  "an Ingress's class with a bad name": ingress({ ingressClassName: "a_b", defaultBackend: { service } }),
  "an Ingress's TLS host": ingress({
    defaultBackend: { service },
    tls: [{ hosts: ["a_b"], secretName: "no_good" }],
  }),
  "an Ingress's TLS wildcard": ingress({
    defaultBackend: { service },
    tls: [{ hosts: ["*.a.org"], secretName: "s" }],
  }),

  "a NetworkPolicy's CIDR that is none": from({ ipBlock: { cidr: "x" } }),
  "a NetworkPolicy's empty CIDR": from({ ipBlock: { cidr: "" } }),
  "a NetworkPolicy's exception outside": from({ ipBlock: { cidr: "10.0.0.0/8", except: ["11.0.0.0/16"] } }),
  "a NetworkPolicy's exception that is the whole": from({
    ipBlock: { cidr: "10.0.0.0/8", except: ["10.0.0.0/8"] },
  }),
  "a NetworkPolicy's exception that is none": from({ ipBlock: { cidr: "10.0.0.0/8", except: ["y"] } }),
  "a NetworkPolicy's exception inside": from({ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } }),
  "a NetworkPolicy's exception in IPv6": from({
    ipBlock: { cidr: "2001:db8::/32", except: ["2001:db8:1::/48"] },
  }),
  "a NetworkPolicy's CIDR with host bits": from({ ipBlock: { cidr: "10.0.0.1/8" } }),
  "a NetworkPolicy's empty peer": from({}),
  "a NetworkPolicy's peer of two sorts": from({ podSelector: {}, ipBlock: { cidr: "10.0.0.0/8" } }),
  "a NetworkPolicy's port out of range": to({ port: 70000 }),
  "a NetworkPolicy's bad port name": to({ port: "no_good" }),
  "a NetworkPolicy's end before its port": to({ port: 90, endPort: 80 }),
  "a NetworkPolicy's end without a port": to({ endPort: 80 }),
  "a NetworkPolicy's end after a named port": to({ port: "http", endPort: 80 }),
  "a NetworkPolicy's end out of range": to({ port: 80, endPort: 70000 }),
  "a NetworkPolicy's range of ports": to({ port: 80, endPort: 90 }),
  "a NetworkPolicy's unknown protocol": to({ port: 80, protocol: "ICMP" }),
  "a NetworkPolicy's unknown type": policy({ policyTypes: ["Sideways"] }),
  "a NetworkPolicy's three types": policy({ policyTypes: ["Ingress", "Egress", "Ingress"] }),
  "a NetworkPolicy's bad selector": policy({ podSelector: { matchLabels: { "a b": "c" } } }),
  "a NetworkPolicy's selector of an unknown operator": policy({
    podSelector: { matchExpressions: [{ key: "a", operator: "Is" }] },
  }),
  "a NetworkPolicy's peer with a bad selector": from({
    podSelector: { matchExpressions: [{ key: "a", operator: "In" }] },
  }),

  "a Service's node port below the range": nodePort({ nodePort: 80 }),
  "a Service's node port of 0": nodePort({ nodePort: 0 }),
  "a Service's node port in the range": nodePort({ nodePort: 30080 }),
  "a Service's node port twice": svc({
    type: "NodePort",
    ports: [
      { name: "a", port: 80, nodePort: 30081 },
      { name: "b", port: 81, nodePort: 30081 },
    ],
  }),
  "a Service's node port for two protocols": svc({
    type: "NodePort",
    ports: [
      { name: "a", port: 80, nodePort: 30082 },
      { name: "b", port: 80, protocol: "UDP", nodePort: 30082 },
    ],
  }),
  "a Service's node port without the type": svc({ ports: [{ port: 80, nodePort: 30083 }] }),
  "a Service's port twice": svc({
    ports: [
      { name: "a", port: 80 },
      { name: "b", port: 80 },
    ],
  }),
  "a Service's target name": svc({ ports: [{ port: 80, targetPort: "no_good" }] }),
  "a Service's unknown protocol": svc({ ports: [{ port: 80, protocol: "HTTP" }] }),
  "a Service's unknown affinity": svc({ ports: [{ port: 80 }], sessionAffinity: "Sticky" }),
  "a Service's affinity for too long": svc({
    ports: [{ port: 80 }],
    sessionAffinity: "ClientIP",
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 90000 } },
  }),
  "a Service's address that is none": svc({ clusterIP: "x", ports: [{ port: 80 }] }),
  "a Service's open kind without an address": svc({
    type: "NodePort",
    clusterIP: "None",
    ports: [{ port: 80 }],
  }),
  "a Service's bad selector": svc({ selector: { "a b": "c d" }, ports: [{ port: 80 }] }),
  "a Service's external address": svc({ externalIPs: ["x", "127.0.0.1"], ports: [{ port: 80 }] }),
  "a Service's source range without a balancer": svc({
    loadBalancerSourceRanges: ["10.0.0.0/8"],
    ports: [{ port: 80 }],
  }),
  "a Service's source range that is none": svc({
    type: "LoadBalancer",
    loadBalancerSourceRanges: ["x"],
    ports: [{ port: 80 }],
  }),
  "a Service's external policy without the type": svc({
    externalTrafficPolicy: "Local",
    ports: [{ port: 80 }],
  }),
  "a Service's unknown external policy": svc({
    type: "NodePort",
    externalTrafficPolicy: "Far",
    ports: [{ port: 80 }],
  }),
  "a Service's unknown internal policy": svc({ internalTrafficPolicy: "Far", ports: [{ port: 80 }] }),
  "a Service's port name too long": svc({ ports: [{ name: "a".repeat(64), port: 80 }] }),
  "a Service's other name that is none": svc({ type: "ExternalName", externalName: "a_b" }),
  "a Service's other name with an address": svc({
    type: "ExternalName",
    externalName: "a.org",
    clusterIP: "10.0.0.9",
  }),
  "a Service's class without a balancer": svc({ loadBalancerClass: "a/b", ports: [{ port: 80 }] }),
  "a Service that starts with a digit": svc({ ports: [{ port: 80 }] }, "1a"),
  "a Service with dots in its name": svc({ ports: [{ port: 80 }] }, "a.b"),
};
