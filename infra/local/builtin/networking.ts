import {
  IngressClassSpec,
  IngressSpec,
  IngressStatus,
  NetworkPolicySpec,
} from "../../../shared/kube/schema/networking.ts";
import { atomic, oneOf } from "../../../shared/kube/schema/words.ts";
import { isObject } from "../json.ts";
import type { ResourceType } from "../resource-type.ts";
import { builtIn } from "./built-in.ts";
import { fillIn, objectAt, objectIn, objectsAt } from "./reading.ts";
import { Endpoint, EndpointSubset, SlicePort } from "./schema/endpoints.ts";
import { ingressFaults } from "./validate/ingress.ts";
import { networkPolicyFaults } from "./validate/network-policy.ts";

const group = "networking.k8s.io";

/** The kinds of networking. Nothing here routes: these are kept for controllers. */
export const networking: readonly ResourceType[] = [
  builtIn({
    kind: "Endpoints",
    plural: "endpoints",
    singular: "endpoints",
    shortNames: ["ep"],
    description: "The addresses behind a Service, in their old form.",
    fields: { subsets: atomic(EndpointSubset).optional() },
    strategy: {
      default(object) {
        for (const subset of objectsAt(object, "subsets"))
          for (const port of objectsAt(subset, "ports")) fillIn(port, { protocol: "TCP" });
      },
    },
  }),
  builtIn({
    group: "discovery.k8s.io",
    kind: "EndpointSlice",
    description: "A part of the addresses behind a Service.",
    fields: {
      addressType: oneOf("FQDN", "IPv4", "IPv6"),
      endpoints: atomic(Endpoint),
      ports: atomic(SlicePort).optional(),
    },
    generation: true,
    strategy: {
      default(object) {
        object.endpoints ??= [];
        for (const endpoint of objectsAt(object, "endpoints")) objectIn(endpoint, "conditions");
        for (const port of objectsAt(object, "ports")) {
          fillIn(port, { protocol: "TCP" });
          if (port.name === undefined) port.name = "";
        }
      },
    },
  }),
  builtIn({
    group,
    kind: "Ingress",
    plural: "ingresses",
    shortNames: ["ing"],
    description: "Sends HTTP from outside to Services.",
    fields: { spec: IngressSpec.optional(), status: IngressStatus.optional() },
    status: true,
    generation: true,
    strategy: {
      default(object) {
        objectIn(object, "spec");
        objectIn(objectIn(object, "status"), "loadBalancer");
      },
      prepareForCreate(object) {
        object.status = { loadBalancer: {} };
      },
      validate: (object, _previous, subresource) =>
        subresource === "status" ? [] : ingressFaults(objectAt(object, "spec")),
    },
  }),
  builtIn({
    group,
    kind: "IngressClass",
    plural: "ingressclasses",
    cluster: true,
    generation: true,
    description: "Which controller serves Ingresses.",
    fields: { spec: IngressClassSpec.optional() },
    strategy: {
      default(object) {
        const parameters = objectAt(object, "spec").parameters;
        if (isObject(parameters)) fillIn(parameters, { scope: "Cluster" });
      },
    },
  }),
  builtIn({
    group,
    kind: "NetworkPolicy",
    plural: "networkpolicies",
    shortNames: ["netpol"],
    generation: true,
    description: "Which pods may talk to which.",
    fields: { spec: NetworkPolicySpec.optional() },
    strategy: {
      default(object) {
        const spec = objectIn(object, "spec");
        objectIn(spec, "podSelector");
        if (!Array.isArray(spec.policyTypes))
          spec.policyTypes =
            Array.isArray(spec.egress) && spec.egress.length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
        for (const direction of ["ingress", "egress"])
          for (const rule of objectsAt(spec, direction))
            for (const port of objectsAt(rule, "ports")) fillIn(port, { protocol: "TCP" });
      },
      validate: (object) => networkPolicyFaults(objectAt(object, "spec")),
    },
  }),
];
