import type { KubeObject } from "../../../../shared/kube/object.ts";
import {
  age,
  at,
  labelsOf,
  listOf,
  numberOf,
  orNone,
  orUnset,
  selectorOf,
  textOf,
  textsOf,
} from "./cells.ts";
import { column, type TableColumn } from "./columns.ts";

function externalAddress(service: KubeObject, wide: boolean): string {
  const outside = textsOf(service, "spec", "externalIPs").join(",");
  switch (textOf(service, "spec", "type")) {
    case "ExternalName":
      return textOf(service, "spec", "externalName");
    case "LoadBalancer": {
      const balanced = addresses(service, wide);
      return [balanced, outside].filter((text) => text !== "").join(",") || "<pending>";
    }
    default:
      return orNone(outside);
  }
}

const SHOWN = 16;
function addresses(object: KubeObject, wide: boolean): string {
  const all = [
    ...new Set(
      listOf(object, "status", "loadBalancer", "ingress").map(
        (one) => textOf(one, "ip") || textOf(one, "hostname"),
      ),
    ),
  ].join(",");
  return !wide && all.length > SHOWN ? `${all.slice(0, SHOWN - 3)}...` : all;
}

const servicePorts = (service: KubeObject): string =>
  orNone(
    listOf(service, "spec", "ports")
      .map((port) => {
        const node = numberOf(port, "nodePort");
        return `${numberOf(port, "port")}${node === 0 ? "" : `:${node}`}/${textOf(port, "protocol")}`;
      })
      .join(","),
  );

const SHOWN_ENDPOINTS = 3;
const shortened = (all: readonly string[]): string =>
  all.length > SHOWN_ENDPOINTS
    ? `${all.slice(0, SHOWN_ENDPOINTS).join(",")} + ${all.length - SHOWN_ENDPOINTS} more...`
    : all.join(",");

function endpointsOf(object: KubeObject): string {
  const all = listOf(object, "subsets").flatMap((subset) => {
    const ports = listOf(subset, "ports").map((port) => `:${numberOf(port, "port")}`);
    return (ports.length === 0 ? [""] : ports).flatMap((port) =>
      listOf(subset, "addresses").map((one) => `${textOf(one, "ip")}${port}`),
    );
  });
  return orNone(shortened(all));
}

function hostsOf(ingress: KubeObject): string {
  const hosts = listOf(ingress, "spec", "rules")
    .map((rule) => textOf(rule, "host"))
    .filter((host) => host !== "");
  return hosts.length === 0 ? "*" : shortened(hosts);
}

/** The columns of the kinds of networking. */
export const networkColumns: Readonly<Record<string, readonly TableColumn[]>> = {
  "/Service": [
    column("Type", (object) => textOf(object, "spec", "type")),
    column("Cluster-IP", (object) => orNone(textOf(object, "spec", "clusterIP"))),
    column("External-IP", (object) => externalAddress(object, false)),
    column("Port(s)", servicePorts),
    age,
    column("Selector", (object) => orNone(labelsOf(object, "spec", "selector")), { wide: true }),
  ],
  "/Endpoints": [column("Endpoints", endpointsOf), age],
  "discovery.k8s.io/EndpointSlice": [
    column("AddressType", (object) => textOf(object, "addressType")),
    column("Ports", (object) =>
      orUnset(shortened(listOf(object, "ports").map((port) => textOf(port, "port") || "*"))),
    ),
    column("Endpoints", (object) =>
      orUnset(shortened(listOf(object, "endpoints").flatMap((one) => textsOf(one, "addresses")))),
    ),
    age,
  ],
  "networking.k8s.io/Ingress": [
    column("Class", (object) => orNone(textOf(object, "spec", "ingressClassName"))),
    column("Hosts", hostsOf),
    column("Address", (object) => addresses(object, false)),
    column("Ports", (object) => (listOf(object, "spec", "tls").length > 0 ? "80, 443" : "80")),
    age,
  ],
  "networking.k8s.io/IngressClass": [
    column("Controller", (object) => textOf(object, "spec", "controller")),
    column("Parameters", (object) => {
      const parameters = at(object, "spec", "parameters");
      const group = textOf(parameters, "apiGroup");
      return parameters === undefined
        ? "<none>"
        : `${textOf(parameters, "kind")}${group === "" ? "" : `.${group}`}/${textOf(parameters, "name")}`;
    }),
    age,
  ],
  "networking.k8s.io/NetworkPolicy": [
    column("Pod-Selector", (object) => selectorOf(object, "spec", "podSelector")),
    age,
  ],
};
