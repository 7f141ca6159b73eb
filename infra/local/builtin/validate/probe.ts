import type { FieldError } from "../../../../shared/kube/validation/fault.ts";
import { fault } from "../../../../shared/kube/validation/fault.ts";
import { isObject, type JsonObject } from "../../json.ts";
import { notNegative, portOrNameFaults } from "../rules.ts";

const numbers = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
];

/** Faults of the probes and hooks of a container. A starter has none, unless it runs beside the others. */
export function watchFaults(container: JsonObject, path: string, starter: boolean): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, field] of [
    ["lifecycle", "lifecycle"],
    ["livenessProbe", "livenessProbe"],
    ["readinessProbe", "readinessProbe"],
    ["startupProbe", "startupProbe"],
  ] as const) {
    const found = container[name];
    if (!isObject(found)) continue;
    const at = `${path}.${field}`;
    if (starter) {
      const why = "may not be set for init containers without restartPolicy=Always";
      errors.push(fault.forbidden(at, why));
    } else if (name === "lifecycle") {
      for (const hook of ["postStart", "preStop"])
        if (isObject(found[hook]))
          errors.push(
            ...actionFaults(found[hook], `${at}.${hook}`, ["exec", "httpGet", "tcpSocket", "sleep"]),
          );
    } else errors.push(...probeFaults(found, at, name === "readinessProbe"));
  }
  return errors;
}

function probeFaults(probe: JsonObject, path: string, mayNeedMore: boolean): FieldError[] {
  const errors = actionFaults(probe, path, ["exec", "httpGet", "tcpSocket", "grpc"]);
  for (const number of numbers) errors.push(...notNegative(probe, number, path));
  if (!mayNeedMore && probe.successThreshold !== undefined && probe.successThreshold !== 1)
    errors.push(fault.invalid(`${path}.successThreshold`, probe.successThreshold, "must be 1"));
  return errors;
}

function actionFaults(action: JsonObject, path: string, sorts: readonly string[]): FieldError[] {
  const given = sorts.filter((sort) => isObject(action[sort]));
  if (given.length === 0) return [fault.required(path, "must specify a handler type")];
  const errors = given
    .slice(1)
    .map((sort) => fault.forbidden(`${path}.${sort}`, "may not specify more than 1 handler type"));
  for (const sort of ["httpGet", "tcpSocket"]) {
    const found = action[sort];
    if (isObject(found)) errors.push(...portOrNameFaults(found.port ?? 0, `${path}.${sort}.port`));
  }
  return errors;
}
