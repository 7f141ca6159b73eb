import type { FieldError } from "../../../../shared/kube/validation/fault.ts";
import { fault } from "../../../../shared/kube/validation/fault.ts";
import { labelForm, subdomainForm } from "../../forms.ts";
import { isObject, type JsonObject } from "../../json.ts";
import { labelsFaults } from "../../select/label-faults.ts";
import { objectAt, objectsAt, textAt, textsAt } from "../reading.ts";
import { formFaults } from "../rules.ts";

/** Faults of a pod's spec outside of its containers. */
export function podFaults(spec: JsonObject, path: string): FieldError[] {
  const errors = [
    ...labelsFaults(textsAt(spec, "nodeSelector"), `${path}.nodeSelector`),
    ...formFaults(textAt(spec, "serviceAccountName"), subdomainForm, `${path}.serviceAccountName`),
    ...formFaults(textAt(spec, "hostname"), labelForm, `${path}.hostname`),
    ...formFaults(textAt(spec, "subdomain"), labelForm, `${path}.subdomain`),
  ];
  const deadline = spec.activeDeadlineSeconds;
  if (typeof deadline === "number" && (deadline < 1 || deadline > 2_147_483_647)) {
    const why = "must be between 1 and 2147483647, inclusive";
    errors.push(fault.invalid(`${path}.activeDeadlineSeconds`, deadline, why));
  }
  for (const [index, one] of objectsAt(spec, "tolerations").entries())
    errors.push(...tolerationFaults(one, `${path}.tolerations[${index}]`));
  return errors;
}

function tolerationFaults(toleration: JsonObject, path: string): FieldError[] {
  const [key, operator, value] = ["key", "operator", "value"].map((field) => textAt(toleration, field));
  if (key === "" && operator !== "Exists") {
    const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    return [fault.invalid(`${path}.operator`, operator, why)];
  }
  return operator === "Exists" && value !== ""
    ? [fault.invalid(`${path}.operator`, value, "value must be empty when `operator` is 'Exists'")]
    : [];
}

const leaves = (path: string): boolean => path.split("/").includes("..");

/** A path below a volume: it neither starts at the root nor goes up. */
export function insidePathFaults(given: string, path: string): FieldError[] {
  if (given.startsWith("/")) return [fault.invalid(path, given, "must be a relative path")];
  return leaves(given) ? [fault.invalid(path, given, "must not contain '..'")] : [];
}

const modeRange = "must be a number between 0 and 0777 (octal), both inclusive";
const modeFaults = (mode: unknown, path: string): FieldError[] =>
  typeof mode === "number" && (mode < 0 || mode > 0o777) ? [fault.invalid(path, mode, modeRange)] : [];

/** Fields without which a source of a volume says nothing. */
const needed: Readonly<Record<string, string>> = {
  configMap: "name",
  hostPath: "path",
  persistentVolumeClaim: "claimName",
  secret: "secretName",
};

/** Faults within the sources of a volume. */
export function volumeFaults(volume: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [source, field] of Object.entries(needed)) {
    const found = volume[source];
    if (isObject(found) && textAt(found, field) === "")
      errors.push(fault.required(`${path}.${source}.${field}`));
  }
  const host = textAt(objectAt(volume, "hostPath"), "path");
  if (leaves(host)) errors.push(fault.invalid(`${path}.hostPath.path`, host, "must not contain '..'"));
  for (const source of ["configMap", "secret"]) {
    const found = objectAt(volume, source);
    errors.push(...modeFaults(found.defaultMode, `${path}.${source}.defaultMode`));
    for (const [index, item] of objectsAt(found, "items").entries())
      errors.push(...itemFaults(item, `${path}.${source}.items[${index}]`));
  }
  return errors;
}

function itemFaults(item: JsonObject, path: string): FieldError[] {
  const [key, target] = [textAt(item, "key"), textAt(item, "path")];
  return [
    ...(key === "" ? [fault.required(`${path}.key`)] : []),
    ...(target === "" ? [fault.required(`${path}.path`)] : insidePathFaults(target, `${path}.path`)),
    ...modeFaults(item.mode, `${path}.mode`),
  ];
}
