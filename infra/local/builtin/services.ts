import { createHash, randomInt } from "node:crypto";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { ServiceSpec, ServiceStatus } from "../../../shared/kube/schema/service.ts";
import { fault } from "../api-error.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { ApiObject, FieldError, Strategy } from "../resource-type.ts";
import { builtIn } from "./built-in.ts";
import { fillIn, numberAt, objectAt, objectIn, objectsAt, textAt } from "./reading.ts";
import { labelFault, portFault, subdomainFault } from "./rules.ts";

const CLIENT_IP_SECONDS = 10_800;
const NODE_PORTS = { first: 30_000, last: 32_767 };

function defaults(object: ApiObject): void {
  const spec = objectIn(object, "spec");
  fillIn(spec, { type: "ClusterIP", sessionAffinity: "None" });
  if (spec.sessionAffinity === "ClientIP")
    fillIn(objectIn(objectIn(spec, "sessionAffinityConfig"), "clientIP"), {
      timeoutSeconds: CLIENT_IP_SECONDS,
    });
  for (const port of objectsAt(spec, "ports")) {
    fillIn(port, { protocol: "TCP" });
    if (port.targetPort === undefined || port.targetPort === 0) port.targetPort = port.port;
  }
  if (spec.type !== "ExternalName") fillIn(spec, { internalTrafficPolicy: "Cluster" });
  if (open(spec)) fillIn(spec, { externalTrafficPolicy: "Cluster" });
  if (spec.type === "LoadBalancer") fillIn(spec, { allocateLoadBalancerNodePorts: true });
  objectIn(objectIn(object, "status"), "loadBalancer");
}

/** Reachable from outside, so every port gets a port of the nodes. */
const open = (spec: JsonObject): boolean => spec.type === "NodePort" || spec.type === "LoadBalancer";

/**
 * Gives addresses. They lead nowhere here; they are made of the object's place so that they stay the same, and the range
 * is wide enough that two services of a laptop do not meet.
 */
function allocate(object: ApiObject): void {
  const spec = objectIn(object, "spec");
  if (spec.type === "ExternalName") {
    for (const field of ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"]) delete spec[field];
    return;
  }
  if (spec.clusterIP === undefined)
    spec.clusterIP = addressOf(`${object.metadata.namespace}/${object.metadata.name}`);
  spec.clusterIPs = [spec.clusterIP];
  const v6 = textAt(spec, "clusterIP").includes(":");
  if (spec.clusterIP !== "None" || isObject(spec.selector))
    fillIn(spec, { ipFamilies: [v6 ? "IPv6" : "IPv4"], ipFamilyPolicy: "SingleStack" });
  else fillIn(spec, { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" });
  if (open(spec) && spec.allocateLoadBalancerNodePorts !== false) {
    const taken = new Set(objectsAt(spec, "ports").map((port) => numberAt(port, "nodePort")));
    for (const port of objectsAt(spec, "ports")) {
      if (port.nodePort !== undefined) continue;
      let candidate = randomInt(NODE_PORTS.first, NODE_PORTS.last + 1);
      while (taken.has(candidate)) candidate = randomInt(NODE_PORTS.first, NODE_PORTS.last + 1);
      taken.add(candidate);
      port.nodePort = candidate;
    }
  } else if (!open(spec)) for (const port of objectsAt(spec, "ports")) delete port.nodePort;
}

/** Within 10.96.0.0/12, the range of most clusters. */
function addressOf(place: string): string {
  const [a = 0, b = 0, c = 0] = createHash("sha256").update(place).digest();
  return `10.${96 + (a % 16)}.${b}.${1 + (c % 254)}`;
}

function validate(
  object: KubeObject,
  previous: KubeObject | undefined,
  subresource: string | undefined,
): FieldError[] {
  if (subresource === "status") return [];
  const spec = objectAt(object, "spec");
  const before = objectAt(previous ?? {}, "spec");
  const errors: FieldError[] = [];
  const ports = objectsAt(spec, "ports");
  if (ports.length === 0 && spec.clusterIP !== "None" && spec.type !== "ExternalName")
    errors.push(fault.required("spec.ports"));
  const names = new Set<string>();
  for (const [index, port] of ports.entries())
    errors.push(...validatePort(port, `spec.ports[${index}]`, ports.length > 1, names));
  if (spec.type === "ExternalName") {
    const name = textAt(spec, "externalName").replace(/\.$/, "");
    const wrong = name === "" ? undefined : subdomainFault(name);
    if (name === "") errors.push(fault.required("spec.externalName"));
    else if (wrong !== undefined) errors.push(fault.invalid("spec.externalName", name, wrong));
  } else if (
    previous !== undefined &&
    before.type !== "ExternalName" &&
    before.clusterIP !== undefined &&
    before.clusterIP !== spec.clusterIP
  )
    errors.push(fault.invalid("spec.clusterIPs[0]", [spec.clusterIP], "may not change once set"));
  return errors;
}

function validatePort(port: JsonObject, path: string, several: boolean, names: Set<string>): FieldError[] {
  const errors: FieldError[] = [];
  const name = textAt(port, "name");
  if (name === "") {
    if (several) errors.push(fault.required(`${path}.name`));
  } else {
    const wrong = labelFault(name);
    if (wrong !== undefined) errors.push(fault.invalid(`${path}.name`, name, wrong));
    else if (names.has(name)) errors.push(fault.duplicate(`${path}.name`, name));
    names.add(name);
  }
  const number = numberAt(port, "port") ?? 0;
  const wrongPort = portFault(number);
  if (wrongPort !== undefined) errors.push(fault.invalid(`${path}.port`, number, wrongPort));
  const target = port.targetPort;
  if (typeof target === "number" && portFault(target) !== undefined)
    errors.push(fault.invalid(`${path}.targetPort`, target, portFault(target) ?? ""));
  return errors;
}

const strategy: Strategy = {
  default: defaults,
  prepareForCreate(object) {
    object.status = { loadBalancer: {} };
    allocate(object);
  },
  prepareForUpdate(object, previous) {
    const spec = objectIn(object, "spec");
    const before = objectAt(previous, "spec");
    // Who leaves out what the server gave keeps it.
    if (spec.type !== "ExternalName" && before.type !== "ExternalName") {
      for (const field of ["clusterIP", "ipFamilies", "ipFamilyPolicy"])
        if (spec[field] === undefined && before[field] !== undefined)
          spec[field] = structuredClone(before[field]);
      for (const port of objectsAt(spec, "ports")) {
        const same = objectsAt(before, "ports").find(
          (one) => one.port === port.port && one.protocol === port.protocol,
        );
        if (open(spec) && port.nodePort === undefined && same?.nodePort !== undefined)
          port.nodePort = same.nodePort;
      }
    }
    if (!open(spec))
      for (const field of ["externalTrafficPolicy", "allocateLoadBalancerNodePorts"]) delete spec[field];
    allocate(object);
  },
  validate,
};

export const service = builtIn({
  kind: "Service",
  shortNames: ["svc"],
  categories: ["all"],
  description: "A stable name and address for pods.",
  fields: { spec: ServiceSpec.optional(), status: ServiceStatus.optional() },
  status: true,
  names: "service",
  selectable: ["spec.clusterIP", "spec.type"],
  strategy,
});
