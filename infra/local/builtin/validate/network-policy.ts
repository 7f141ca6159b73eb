import type { FieldError } from "../../../../shared/kube/validation/fault.ts";
import { fault } from "../../../../shared/kube/validation/fault.ts";
import { cidrOf, isStrictlyWithin } from "../../addresses.ts";
import { isObject, type JsonObject } from "../../json.ts";
import { labelSelectorFaults } from "../../select/label-faults.ts";
import { numberAt, objectsAt, textAt } from "../reading.ts";
import { portFaults, portOrNameFaults } from "../rules.ts";
import { cidrFaults } from "./addresses.ts";

/** The faults for which the server refuses a NetworkPolicy. */
export function networkPolicyFaults(spec: JsonObject): FieldError[] {
  const errors = labelSelectorFaults(spec.podSelector, "spec.podSelector");
  for (const [direction, peers] of [
    ["ingress", "from"],
    ["egress", "to"],
  ] as const)
    for (const [index, rule] of objectsAt(spec, direction).entries()) {
      const at = `spec.${direction}[${index}]`;
      for (const [place, port] of objectsAt(rule, "ports").entries())
        errors.push(...policyPortFaults(port, `${at}.ports[${place}]`));
      for (const [place, peer] of objectsAt(rule, peers).entries())
        errors.push(...peerFaults(peer, `${at}.${peers}[${place}]`));
    }
  if (Array.isArray(spec.policyTypes) && spec.policyTypes.length > 2) {
    const why = "may not specify more than two policyTypes";
    errors.push(fault.invalid("spec.policyTypes", spec.policyTypes, why));
  }
  return errors;
}

function policyPortFaults(given: JsonObject, at: string): FieldError[] {
  const { port } = given;
  const end = numberAt(given, "endPort");
  const errors: FieldError[] = [];
  const wrongEnd = (why: string): number => errors.push(fault.invalid(`${at}.endPort`, end, why));
  if (typeof port === "number") {
    errors.push(...portFaults(port, `${at}.port`));
    if (end === undefined) return errors;
    if (end < port)
      errors.push(fault.invalid(`${at}.endPort`, port, "must be greater than or equal to `port`"));
    errors.push(...portFaults(end, `${at}.endPort`));
  } else if (port === undefined) {
    if (end !== undefined) wrongEnd("may not be specified when `port` is not specified");
  } else {
    errors.push(...portOrNameFaults(port, `${at}.port`));
    if (end !== undefined) wrongEnd("may not be specified when `port` is non-numeric");
  }
  return errors;
}

function peerFaults(peer: JsonObject, at: string): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const errors = [
    ...labelSelectorFaults(podSelector, `${at}.podSelector`),
    ...labelSelectorFaults(namespaceSelector, `${at}.namespaceSelector`),
  ];
  const given = [podSelector, namespaceSelector, ipBlock].filter(isObject).length;
  if (given === 0) errors.push(fault.required(at, "must specify a peer"));
  else if (isObject(ipBlock) && given > 1)
    errors.push(fault.forbidden(at, "may not specify both ipBlock and another peer"));
  else if (isObject(ipBlock)) errors.push(...blockFaults(ipBlock, `${at}.ipBlock`));
  return errors;
}

function blockFaults(block: JsonObject, at: string): FieldError[] {
  const text = textAt(block, "cidr");
  if (text === "") return [fault.required(`${at}.cidr`)];
  const { cidr, faults } = cidrFaults(text, `${at}.cidr`);
  if (cidr === undefined) return faults;
  for (const [index, given] of (Array.isArray(block.except) ? block.except : []).entries()) {
    const path = `${at}.except[${index}]`;
    const except = cidrFaults(String(given), path);
    faults.push(...except.faults);
    const inner = cidrOf(String(given));
    if (inner !== undefined && !isStrictlyWithin(inner, cidr))
      faults.push(fault.invalid(path, given, "must be a strict subset of `cidr`"));
  }
  return faults;
}
