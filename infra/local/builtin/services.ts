import { createHash } from "node:crypto";
import { ServiceSpec, ServiceStatus } from "../../../shared/kube/schema/service.ts";
import { isObject } from "../json.ts";
import type { ApiObject, Strategy } from "../resource-type.ts";
import { builtIn } from "./built-in.ts";
import { fillIn, objectAt, objectIn, objectsAt, textAt } from "./reading.ts";
import { isOpen, serviceFaults } from "./validate/service.ts";

const CLIENT_IP_SECONDS = 10_800;

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
  if (isOpen(spec)) fillIn(spec, { externalTrafficPolicy: "Cluster" });
  if (spec.type === "LoadBalancer") fillIn(spec, { allocateLoadBalancerNodePorts: true });
  objectIn(objectIn(object, "status"), "loadBalancer");
}

/**
 * Gives addresses. They lead nowhere here; they are made of the object's place so that they stay the same, and the range
 * is wide enough that two services of a laptop do not meet.
 */
function allocate(object: ApiObject): void {
  const spec = objectIn(object, "spec");
  if (spec.type === "ExternalName") {
    for (const field of ["ipFamilies", "ipFamilyPolicy"]) delete spec[field];
    return;
  }
  if (spec.clusterIP === undefined)
    spec.clusterIP = addressOf(`${object.metadata.namespace}/${object.metadata.name}`);
  spec.clusterIPs = [spec.clusterIP];
  const v6 = textAt(spec, "clusterIP").includes(":");
  if (spec.clusterIP !== "None" || isObject(spec.selector))
    fillIn(spec, { ipFamilies: [v6 ? "IPv6" : "IPv4"], ipFamilyPolicy: "SingleStack" });
  else fillIn(spec, { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" });
}

/** Within 10.96.0.0/12, the range of most clusters. */
function addressOf(place: string): string {
  const [a = 0, b = 0, c = 0] = createHash("sha256").update(place).digest();
  return `10.${96 + (a % 16)}.${b}.${1 + (c % 254)}`;
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
        if (isOpen(spec) && port.nodePort === undefined && same?.nodePort !== undefined)
          port.nodePort = same.nodePort;
      }
    }
    // What the server gave for another type goes with it; what the client asks for now is judged.
    if (spec.type === "ExternalName" && spec.clusterIP === before.clusterIP)
      for (const field of ["clusterIP", "clusterIPs"]) delete spec[field];
    if (!isOpen(spec))
      for (const port of objectsAt(spec, "ports"))
        if (objectsAt(before, "ports").some((one) => one.nodePort === port.nodePort)) delete port.nodePort;
    if (!isOpen(spec))
      for (const field of ["externalTrafficPolicy", "allocateLoadBalancerNodePorts"]) delete spec[field];
    allocate(object);
  },
  validate: (object, previous, subresource) =>
    subresource === "status" ? [] : serviceFaults(object, previous),
};

export const service = builtIn({
  kind: "Service",
  shortNames: ["svc"],
  categories: ["all"],
  description: "A stable name and address for pods.",
  fields: { spec: ServiceSpec.optional(), status: ServiceStatus.optional() },
  status: true,
  names: "label",
  selectable: ["spec.clusterIP", "spec.type"],
  strategy,
});
