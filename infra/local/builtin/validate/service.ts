import type { KubeObject } from "../../../../shared/kube/object.ts";
import type { FieldError } from "../../../../shared/kube/validation/fault.ts";
import { fault } from "../../../../shared/kube/validation/fault.ts";
import { addressOf, cidrOf } from "../../addresses.ts";
import { labelForm, subdomainForm } from "../../forms.ts";
import type { JsonObject } from "../../json.ts";
import { labelsFaults } from "../../select/label-faults.ts";
import { numberAt, objectAt, objectsAt, textAt, textsAt } from "../reading.ts";
import { formFaults, portFaults, portOrNameFaults } from "../rules.ts";
import { addressFaults } from "./addresses.ts";

const LONGEST_AFFINITY_SECONDS = 86_400;

/** Reachable from outside, so every port gets a port of the nodes. */
export const isOpen = (spec: JsonObject): boolean => spec.type === "NodePort" || spec.type === "LoadBalancer";

/** The faults for which the server refuses a Service. */
export function serviceFaults(object: KubeObject, previous: KubeObject | undefined): FieldError[] {
  const spec = objectAt(object, "spec");
  const before = objectAt(previous ?? {}, "spec");
  const ports = objectsAt(spec, "ports");
  const errors = labelsFaults(textsAt(spec, "selector"), "spec.selector");
  if (ports.length === 0 && spec.clusterIP !== "None" && spec.type !== "ExternalName")
    errors.push(fault.required("spec.ports"));
  if (isOpen(spec) && spec.clusterIP === "None") {
    const why = `may not be set to 'None' for ${String(spec.type)} services`;
    errors.push(fault.invalid("spec.clusterIPs[0]", "None", why));
  }
  errors.push(...portsFaults(ports, spec));
  const seconds = numberAt(objectAt(objectAt(spec, "sessionAffinityConfig"), "clientIP"), "timeoutSeconds");
  if (seconds !== undefined && (seconds <= 0 || seconds > LONGEST_AFFINITY_SECONDS)) {
    const at = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
    const why = `must be greater than 0 and less than ${LONGEST_AFFINITY_SECONDS}`;
    errors.push(fault.invalid(at, seconds, why));
  }
  errors.push(...outsideFaults(spec));
  if (spec.type === "ExternalName") return [...errors, ...otherNameFaults(spec)];
  const given = textAt(spec, "clusterIP");
  if (given !== "" && given !== "None") errors.push(...addressFaults(given, "spec.clusterIPs[0]"));
  if (
    previous !== undefined &&
    before.type !== "ExternalName" &&
    before.clusterIP !== undefined &&
    before.clusterIP !== spec.clusterIP
  )
    errors.push(fault.invalid("spec.clusterIPs[0]", [spec.clusterIP], "may not change once set"));
  return errors;
}

function otherNameFaults(spec: JsonObject): FieldError[] {
  const name = textAt(spec, "externalName").replace(/\.$/, "");
  const errors =
    name === ""
      ? [fault.required("spec.externalName")]
      : formFaults(name, subdomainForm, "spec.externalName");
  if (textAt(spec, "clusterIP") !== "")
    errors.push(fault.forbidden("spec.clusterIPs", "may not be set for ExternalName services"));
  return errors;
}

/** Addresses and rules for those who come from outside. */
function outsideFaults(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const only = "may only be used when `type` is 'LoadBalancer'";
  const balanced = spec.type === "LoadBalancer";
  for (const [index, given] of listAt(spec, "externalIPs").entries()) {
    const path = `spec.externalIPs[${index}]`;
    const wrong = addressFaults(given, path);
    errors.push(...wrong);
    const why = unreachable(given);
    if (wrong.length === 0 && why !== undefined) errors.push(fault.invalid(path, given, why));
  }
  const ranges = listAt(spec, "loadBalancerSourceRanges");
  if (ranges.length > 0 && !balanced) errors.push(fault.forbidden("spec.LoadBalancerSourceRanges", only));
  else
    for (const [index, range] of ranges.entries())
      if (cidrOf(range.trim()) === undefined) {
        const why = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
        errors.push(fault.invalid(`spec.LoadBalancerSourceRanges[${index}]`, range, why));
      }
  if (spec.loadBalancerClass !== undefined && !balanced)
    errors.push(fault.forbidden("spec.loadBalancerClass", only));
  if (spec.externalTrafficPolicy !== undefined && !isOpen(spec) && listAt(spec, "externalIPs").length === 0) {
    const why = "may only be set for externally-accessible services";
    errors.push(fault.invalid("spec.externalTrafficPolicy", spec.externalTrafficPolicy, why));
  }
  return errors;
}

const listAt = (spec: JsonObject, field: string): readonly string[] => {
  const found = spec[field];
  return Array.isArray(found) ? found.map(String) : [];
};

function unreachable(text: string): string | undefined {
  const address = addressOf(text);
  if (address === undefined) return undefined;
  const { value, bits } = address;
  if (value === 0n) return "may not be unspecified (0.0.0.0 or ::)";
  if (bits === 32 ? value >> 24n === 127n : value === 1n)
    return "may not be in the loopback range (127.0.0.0/8, ::1/128)";
  if (bits === 32 ? value >> 16n === 0xa9fen : value >> 118n === 0x3fan)
    return "may not be in the link-local range (169.254.0.0/16, fe80::/10)";
  return undefined;
}

function portsFaults(ports: readonly JsonObject[], spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  const places = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const path = `spec.ports[${index}]`;
    errors.push(...portItselfFaults(port, path, ports.length > 1, names));
    const protocol = textAt(port, "protocol");
    const number = numberAt(port, "port") ?? 0;
    // The server shows its own struct, with only what the comparison needs.
    const place = {
      Name: "",
      Protocol: protocol,
      AppProtocol: null,
      Port: number,
      TargetPort: 0,
      NodePort: 0,
    };
    const key = `${protocol}/${number}`;
    if (places.has(key)) errors.push(fault.duplicate(path, place));
    places.add(key);
    const nodePort = numberAt(port, "nodePort") ?? 0;
    if (nodePort !== 0 && !isOpen(spec)) {
      const why = `may not be used when \`type\` is '${String(spec.type)}'`;
      errors.push(fault.forbidden(`${path}.nodePort`, why));
    }
  }
  return errors;
}

function portItselfFaults(
  port: JsonObject,
  path: string,
  several: boolean,
  names: Set<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  const name = textAt(port, "name");
  if (name === "") {
    if (several) errors.push(fault.required(`${path}.name`));
  } else {
    // The real server counts characters here, bytes elsewhere.
    const wrong = labelForm(name).map((why) =>
      fault.invalid(`${path}.name`, name, why.replace(/^(must be no more than 63) bytes$/, "$1 characters")),
    );
    errors.push(...wrong);
    if (wrong.length === 0 && names.has(name)) errors.push(fault.duplicate(`${path}.name`, name));
    names.add(name);
  }
  errors.push(...portFaults(numberAt(port, "port") ?? 0, `${path}.port`));
  const target = port.targetPort;
  if (target !== undefined) errors.push(...portOrNameFaults(target, `${path}.targetPort`));
  return errors;
}
