import { randomInt } from "node:crypto";
import { fault } from "../../../../shared/kube/validation/fault.ts";
import { invalid } from "../../api-error.ts";
import { isObject, type JsonObject } from "../../json.ts";
import type { Kernel } from "../../kernel.ts";
import type { ApiObject } from "../../resource-type.ts";
import type { Admission } from "./admission.ts";

const FIRST = 30_000;
const LAST = 32_767;

/** Ports of the nodes, each for one Service: those that are asked for, and free ones for the rest. */
export const nodePortAdmission: Admission = {
  updates: true,
  fill(kernel, object) {
    const { spec } = object;
    if (!isObject(spec) || !isOpen(spec) || spec.allocateLoadBalancerNodePorts === false) return;
    const ports = portsOf(object);
    const taken = new Set([...takenByOthers(kernel, object), ...ports.map(placeOf)]);
    for (const port of ports) {
      if (port.nodePort !== undefined && port.nodePort !== 0) continue;
      const given = ports.find(
        (one) => one.port === port.port && one !== port && one.nodePort !== undefined && one.nodePort !== 0,
      );
      port.nodePort = given?.nodePort ?? freePort(taken, port);
      taken.add(placeOf(port));
    }
  },
  judge(kernel, object) {
    const { spec } = object;
    if (!isObject(spec) || !isOpen(spec)) return;
    const taken = new Set(takenByOthers(kernel, object));
    for (const [index, port] of portsOf(object).entries()) {
      const number = port.nodePort;
      if (typeof number !== "number" || number === 0) continue;
      const why =
        number < FIRST || number > LAST
          ? `provided port is not in the valid range. The range of valid ports is ${FIRST}-${LAST}`
          : taken.has(placeOf(port))
            ? "provided port is already allocated"
            : undefined;
      taken.add(placeOf(port));
      if (why !== undefined)
        throw invalid("", "Service", object.metadata.name, [
          fault.invalid(`spec.ports[${index}].nodePort`, number, why),
        ]);
    }
  },
};

const isOpen = ({ type }: JsonObject): boolean => type === "NodePort" || type === "LoadBalancer";
const portsOf = ({ spec }: ApiObject): readonly JsonObject[] =>
  isObject(spec) && Array.isArray(spec.ports) ? spec.ports.filter(isObject) : [];
const placeOf = ({ protocol, nodePort }: JsonObject): string => `${String(protocol)}/${String(nodePort)}`;

function takenByOthers(kernel: Kernel, { metadata }: ApiObject): ReadonlySet<string> {
  return new Set(
    kernel.store
      .list("/services", "")
      .map(({ text }) => JSON.parse(text) as ApiObject)
      .filter((one) => one.metadata.name !== metadata.name || one.metadata.namespace !== metadata.namespace)
      .flatMap(portsOf)
      .map(placeOf),
  );
}

function freePort(taken: ReadonlySet<string>, port: JsonObject): number {
  const from = randomInt(FIRST, LAST + 1);
  for (let step = 0; step <= LAST - FIRST; step++) {
    const nodePort = FIRST + ((from - FIRST + step) % (LAST - FIRST + 1));
    if (!taken.has(placeOf({ ...port, nodePort }))) return nodePort;
  }
  return from;
}
