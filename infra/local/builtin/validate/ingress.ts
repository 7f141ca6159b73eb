import { isIP } from "node:net";
import type { FieldError } from "../../../../shared/kube/validation/fault.ts";
import { fault } from "../../../../shared/kube/validation/fault.ts";
import { labelForm, portNameForm, subdomainForm, wildcardForm } from "../../forms.ts";
import { isObject, type JsonObject } from "../../json.ts";
import { numberAt, objectAt, objectsAt, textAt } from "../reading.ts";
import { formFaults, portFaults } from "../rules.ts";

const forbidden = ["//", "/./", "/../", "%2f", "%2F"];
const forbiddenEnds = ["/..", "/."];

/** The faults for which the server refuses an Ingress. */
export function ingressFaults(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const rules = objectsAt(spec, "rules");
  if (rules.length === 0 && !isObject(spec.defaultBackend))
    errors.push(fault.invalid("spec", undefined, "either `defaultBackend` or `rules` must be specified"));
  if (isObject(spec.defaultBackend))
    errors.push(...backendFaults(spec.defaultBackend, "spec.defaultBackend"));
  for (const [index, rule] of rules.entries()) {
    const at = `spec.rules[${index}]`;
    errors.push(...hostFaults(textAt(rule, "host"), `${at}.host`));
    const http = rule.http;
    if (!isObject(http)) continue;
    const paths = objectsAt(http, "paths");
    if (paths.length === 0) errors.push(fault.required(`${at}.http.paths`));
    for (const [place, path] of paths.entries())
      errors.push(...pathFaults(path, `${at}.http.paths[${place}]`));
  }
  for (const [index, tls] of objectsAt(spec, "tls").entries()) {
    for (const [place, host] of (Array.isArray(tls.hosts) ? tls.hosts : []).entries())
      errors.push(...nameFaults(String(host), `spec.tls[${index}].hosts[${place}]`));
    errors.push(...formFaults(textAt(tls, "secretName"), subdomainForm, `spec.tls[${index}].secretName`));
  }
  const ingressClass = textAt(spec, "ingressClassName");
  errors.push(...formFaults(ingressClass, subdomainForm, "spec.ingressClassName"));
  return errors;
}

const nameFaults = (host: string, path: string): FieldError[] =>
  formFaults(host, host.includes("*") ? wildcardForm : subdomainForm, path);

function hostFaults(host: string, path: string): FieldError[] {
  const errors = nameFaults(host, path);
  if (isIP(host) !== 0) errors.push(fault.invalid(path, host, "must be a DNS name, not an IP address"));
  return errors;
}

function pathFaults(path: JsonObject, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const given = textAt(path, "path");
  const type = textAt(path, "pathType");
  const wrong = (why: string): number => errors.push(fault.invalid(`${at}.path`, given, why));
  if (type === "") errors.push(fault.required(`${at}.pathType`, "pathType must be specified"));
  else if (type === "ImplementationSpecific") {
    if (given !== "" && !given.startsWith("/")) wrong("must be an absolute path");
  } else {
    if (!given.startsWith("/")) wrong("must be an absolute path");
    if (given !== "") {
      for (const part of forbidden) if (given.includes(part)) wrong(`must not contain '${part}'`);
      for (const end of forbiddenEnds) if (given.endsWith(end)) wrong(`cannot end with '${end}'`);
    }
  }
  return [...errors, ...backendFaults(objectAt(path, "backend"), `${at}.backend`)];
}

function backendFaults(backend: JsonObject, at: string): FieldError[] {
  const { resource, service } = backend;
  if (isObject(resource) && isObject(service))
    return [fault.invalid(at, "", "cannot set both resource and service backends")];
  if (isObject(resource))
    return ["kind", "name"].flatMap((field) =>
      textAt(resource, field) === "" ? [fault.required(`${at}.resource.${field}`)] : [],
    );
  if (!isObject(service)) return [fault.invalid(at, "", "resource or service backend is required")];
  const name = textAt(service, "name");
  const errors =
    name === "" ? [fault.required(`${at}.service.name`)] : formFaults(name, labelForm, `${at}.service.name`);
  const port = objectAt(service, "port");
  const [portName, number] = [textAt(port, "name"), numberAt(port, "number") ?? 0];
  if (portName !== "" && number !== 0)
    errors.push(fault.invalid(at, "", "cannot set both port name & port number"));
  else if (portName !== "") errors.push(...formFaults(portName, portNameForm, `${at}.service.port.name`));
  else if (number !== 0) errors.push(...portFaults(number, `${at}.service.port.number`));
  else errors.push(fault.required(at, "port name or number is required"));
  return errors;
}
