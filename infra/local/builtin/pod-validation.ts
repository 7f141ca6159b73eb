import { compareQuantities } from "../../../shared/kube/quantity.ts";
import { fault } from "../api-error.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { FieldError } from "../resource-type.ts";
import { numberAt, objectAt, objectsAt, textAt } from "./reading.ts";
import { labelFault, portFault, serviceNameFault } from "./rules.ts";

/** The faults that people meet in pod specs. What only a kubelet or scheduler would find is not looked for. */
export function validatePodSpec(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const volumes = new Set<string>();
  for (const [index, volume] of objectsAt(spec, "volumes").entries()) {
    const at = `${path}.volumes[${index}]`;
    const name = textAt(volume, "name");
    errors.push(...nameFaults(name, `${at}.name`, volumes));
    errors.push(...sourceFaults(volume, at));
  }
  const names = new Set<string>();
  const containers = objectsAt(spec, "containers");
  if (containers.length === 0) errors.push(fault.required(`${path}.containers`));
  for (const list of ["containers", "initContainers"])
    for (const [index, container] of objectsAt(spec, list).entries())
      errors.push(...validateContainer(container, `${path}.${list}[${index}]`, names, volumes));
  return errors;
}

function nameFaults(name: string, path: string, taken: Set<string>): FieldError[] {
  if (name === "") return [fault.required(path)];
  const wrong = labelFault(name);
  if (wrong !== undefined) return [fault.invalid(path, name, wrong)];
  if (taken.has(name)) return [fault.duplicate(path, name)];
  taken.add(name);
  return [];
}

function sourceFaults(volume: JsonObject, path: string): FieldError[] {
  const sources = Object.keys(volume).filter((field) => field !== "name" && volume[field] !== undefined);
  if (sources.length === 0) return [fault.required(path, "must specify a volume type")];
  return sources
    .slice(1)
    .map((extra) => fault.forbidden(`${path}.${extra}`, "may not specify more than 1 volume type"));
}

function validateContainer(
  container: JsonObject,
  path: string,
  names: Set<string>,
  volumes: ReadonlySet<string>,
): FieldError[] {
  const errors = nameFaults(textAt(container, "name"), `${path}.name`, names);
  const image = textAt(container, "image");
  if (image === "") errors.push(fault.required(`${path}.image`));
  else if (image.trim() !== image)
    errors.push(fault.invalid(`${path}.image`, image, "must not have leading or trailing whitespace"));
  const ports = new Set<string>();
  for (const [index, port] of objectsAt(container, "ports").entries())
    errors.push(...validateContainerPort(port, `${path}.ports[${index}]`, ports));
  for (const [index, variable] of objectsAt(container, "env").entries())
    errors.push(...validateVariable(variable, `${path}.env[${index}]`));
  const mounts = new Set<string>();
  for (const [index, mount] of objectsAt(container, "volumeMounts").entries()) {
    const at = `${path}.volumeMounts[${index}]`;
    const name = textAt(mount, "name");
    if (name === "") errors.push(fault.required(`${at}.name`));
    else if (!volumes.has(name))
      errors.push({
        reason: "FieldValueNotFound",
        field: `${at}.name`,
        message: `Not found: ${JSON.stringify(name)}`,
      });
    const mountPath = textAt(mount, "mountPath");
    if (mountPath === "") errors.push(fault.required(`${at}.mountPath`));
    else if (mounts.has(mountPath))
      errors.push(fault.invalid(`${at}.mountPath`, mountPath, "must be unique"));
    mounts.add(mountPath);
  }
  errors.push(...validateResources(objectAt(container, "resources"), `${path}.resources`));
  for (const probe of ["livenessProbe", "readinessProbe", "startupProbe"])
    if (isObject(container[probe])) errors.push(...validateProbe(container[probe], `${path}.${probe}`));
  return errors;
}

function validateContainerPort(port: JsonObject, path: string, names: Set<string>): FieldError[] {
  const errors: FieldError[] = [];
  const name = textAt(port, "name");
  if (name !== "") {
    const wrong = serviceNameFault(name);
    if (wrong !== undefined) errors.push(fault.invalid(`${path}.name`, name, wrong));
    else if (names.has(name)) errors.push(fault.duplicate(`${path}.name`, name));
    names.add(name);
  }
  const number = numberAt(port, "containerPort") ?? 0;
  if (number === 0) errors.push(fault.required(`${path}.containerPort`));
  else if (portFault(number) !== undefined)
    errors.push(fault.invalid(`${path}.containerPort`, number, portFault(number) ?? ""));
  return errors;
}

function validateVariable(variable: JsonObject, path: string): FieldError[] {
  const name = textAt(variable, "name");
  if (name === "") return [fault.required(`${path}.name`)];
  // Any printable text but '=' since Kubernetes 1.34.
  if (!/^[ -<>-~]+$/.test(name))
    return [
      fault.invalid(
        `${path}.name`,
        name,
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      ),
    ];
  const from = variable.valueFrom;
  if (!isObject(from)) return [];
  const sources = Object.keys(from).length;
  if (sources === 0)
    return [
      fault.invalid(
        `${path}.valueFrom`,
        "",
        "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`",
      ),
    ];
  if (textAt(variable, "value") !== "")
    return [fault.invalid(`${path}.valueFrom`, "", "may not be specified when `value` is not empty")];
  if (sources > 1)
    return [fault.invalid(`${path}.valueFrom`, "", "may not have more than one field specified at a time")];
  return ["configMapKeyRef", "secretKeyRef"].flatMap((source) => {
    const reference = from[source];
    if (!isObject(reference)) return [];
    return textAt(reference, "key") === "" ? [fault.required(`${path}.valueFrom.${source}.key`)] : [];
  });
}

/** Amounts are amounts, and nobody asks for more than the limit. */
export function validateResources(resources: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const limits = objectAt(resources, "limits");
  for (const list of ["limits", "requests"])
    for (const [name, amount] of Object.entries(objectAt(resources, list))) {
      if ((compareQuantities(amount, 0) ?? 0) < 0)
        errors.push(fault.invalid(`${path}.${list}[${name}]`, amount, "must be greater than or equal to 0"));
    }
  for (const [name, asked] of Object.entries(objectAt(resources, "requests"))) {
    const limit = limits[name];
    if (limit !== undefined && (compareQuantities(asked, limit) ?? 0) > 0)
      errors.push(
        fault.invalid(
          `${path}.requests`,
          asked,
          `must be less than or equal to ${name} limit of ${String(limit)}`,
        ),
      );
  }
  return errors;
}

function validateProbe(probe: JsonObject, path: string): FieldError[] {
  const handlers = ["exec", "httpGet", "tcpSocket", "grpc"].filter((handler) => isObject(probe[handler]));
  if (handlers.length === 0) return [fault.required(path, "must specify a handler type")];
  return handlers
    .slice(1)
    .map((handler) => fault.forbidden(`${path}.${handler}`, "may not specify more than 1 handler type"));
}
