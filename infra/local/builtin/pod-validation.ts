import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { labelForm, portNameForm } from "../forms.ts";
import { isObject, type JsonObject } from "../json.ts";
import { numberAt, objectAt, objectsAt, textAt } from "./reading.ts";
import { formFaults, portFaults } from "./rules.ts";
import { insidePathFaults, podFaults, volumeFaults } from "./validate/pod.ts";
import { watchFaults } from "./validate/probe.ts";
import { resourcesFaults } from "./validate/resources.ts";

/**
 * The faults that people meet in pod specs. What only a kubelet or scheduler would find is not looked for.
 * @param claims names of volumes that the pods get beside their own
 */
export function validatePodSpec(
  spec: JsonObject,
  path: string,
  claims: readonly string[] = [],
): FieldError[] {
  const errors: FieldError[] = [];
  const volumes = new Set<string>();
  for (const [index, volume] of objectsAt(spec, "volumes").entries()) {
    const at = `${path}.volumes[${index}]`;
    const name = textAt(volume, "name");
    errors.push(...nameFaults(name, `${at}.name`, volumes));
    errors.push(...sourceFaults(volume, at), ...volumeFaults(volume, at));
  }
  for (const claim of claims) volumes.add(claim);
  const names = new Set<string>();
  const containers = objectsAt(spec, "containers");
  if (containers.length === 0) errors.push(fault.required(`${path}.containers`));
  for (const list of ["containers", "initContainers"])
    for (const [index, container] of objectsAt(spec, list).entries())
      errors.push(
        ...validateContainer(container, `${path}.${list}[${index}]`, names, volumes),
        ...watchFaults(
          container,
          `${path}.${list}[${index}]`,
          list === "initContainers" && container.restartPolicy !== "Always",
        ),
      );
  return [...errors, ...podFaults(spec, path)];
}

function nameFaults(name: string, path: string, taken: Set<string>): FieldError[] {
  if (name === "") return [fault.required(path)];
  const wrong = formFaults(name, labelForm, path);
  if (wrong.length > 0) return wrong;
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
  const hostPorts = new Set<string>();
  for (const [index, port] of objectsAt(container, "ports").entries())
    errors.push(...validateContainerPort(port, `${path}.ports[${index}]`, ports, hostPorts));
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
    // Said of the list, not of the mount: so the real server says it.
    errors.push(...insidePathFaults(textAt(mount, "subPath"), `${path}.volumeMounts.subPath`));
  }
  errors.push(...resourcesFaults(objectAt(container, "resources"), `${path}.resources`));
  const { privileged, allowPrivilegeEscalation } = objectAt(container, "securityContext");
  if (privileged === true && allowPrivilegeEscalation === false) {
    const why = "cannot set `allowPrivilegeEscalation` to false and `privileged` to true";
    errors.push(fault.invalid(`${path}.securityContext`, container.securityContext, why));
  }
  return errors;
}

function validateContainerPort(
  port: JsonObject,
  path: string,
  names: Set<string>,
  hostPorts: Set<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  const name = textAt(port, "name");
  if (name !== "") {
    const wrong = formFaults(name, portNameForm, `${path}.name`);
    errors.push(...wrong);
    if (wrong.length > 0) return errors;
    if (names.has(name)) errors.push(fault.duplicate(`${path}.name`, name));
    names.add(name);
  }
  const number = numberAt(port, "containerPort") ?? 0;
  if (number === 0) errors.push(fault.required(`${path}.containerPort`));
  else errors.push(...portFaults(number, `${path}.containerPort`));
  const host = numberAt(port, "hostPort") ?? 0;
  if (host !== 0) {
    const wrong = portFaults(host, `${path}.hostPort`);
    const place = `${textAt(port, "protocol")}/${textAt(port, "hostIP")}/${host}`;
    errors.push(...wrong);
    if (wrong.length === 0 && hostPorts.has(place)) errors.push(fault.duplicate(`${path}.hostPort`, place));
    hostPorts.add(place);
  }
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
