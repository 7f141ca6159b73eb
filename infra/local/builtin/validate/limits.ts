import { compareQuantities, quantityNano } from "../../../../shared/kube/quantity.ts";
import type { FieldError } from "../../../../shared/kube/validation/fault.ts";
import { fault } from "../../../../shared/kube/validation/fault.ts";
import { qualifiedNameForm } from "../../forms.ts";
import type { JsonObject } from "../../json.ts";
import { objectAt, objectIn, objectsAt, textAt } from "../reading.ts";

const kinds = ["Pod", "Container", "PersistentVolumeClaim"];

/** Fills the server's defaults into the limits of containers: the most is the default, the default is what is asked for. */
export function defaultLimits(item: JsonObject): void {
  if (item.type !== "Container") return;
  for (const [from, to] of [
    ["max", "default"],
    ["default", "defaultRequest"],
    ["min", "defaultRequest"],
  ] as const) {
    const given = objectAt(item, from);
    if (Object.keys(given).length > 0) item[to] = { ...given, ...objectIn(item, to) };
  }
}

/** The faults for which the server refuses a LimitRange. */
export function limitRangeFaults(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, item] of objectsAt(spec, "limits").entries()) {
    const path = `spec.limits[${index}]`;
    const type = textAt(item, "type");
    errors.push(...typeFaults(type, `${path}.type`));
    if (seen.has(type)) errors.push(fault.duplicate(`${path}.type`, type));
    seen.add(type);
    if (type === "Pod") {
      for (const field of ["default", "defaultRequest"])
        if (Object.keys(objectAt(item, field)).length > 0)
          errors.push(fault.forbidden(`${path}.${field}`, "may not be specified when `type` is 'Pod'"));
    }
    const storage = ["min", "max"].some((field) => objectAt(item, field).storage !== undefined);
    if (type === "PersistentVolumeClaim" && !storage) {
      const why = "either minimum or maximum storage value is required, but neither was provided";
      errors.push(fault.required(`${path}.limits`, why));
    }
    const fields = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"];
    const resources = new Set(fields.flatMap((field) => Object.keys(objectAt(item, field))));
    for (const resource of resources) errors.push(...boundsFaults(item, resource, path));
  }
  return errors;
}

function typeFaults(type: string, path: string): FieldError[] {
  const form = qualifiedNameForm(type);
  if (form.length > 0) return form.map((why) => fault.invalid(path, type, why));
  return type.includes("/") || kinds.includes(type)
    ? []
    : [fault.invalid(path, type, "must be a standard limit type or fully qualified")];
}

/** Bounds that cross: the smaller of two, the larger, which of them is named with whose amount, and how both are called. */
type Field = "min" | "max" | "default" | "defaultRequest";
const orders: readonly (readonly [Field, Field, Field, Field, string, string])[] = [
  ["min", "max", "min", "min", "min value", "max value"],
  ["min", "defaultRequest", "defaultRequest", "defaultRequest", "min value", "default request value"],
  ["defaultRequest", "max", "defaultRequest", "defaultRequest", "default request value", "max value"],
  [
    "defaultRequest",
    "default",
    "defaultRequest",
    "defaultRequest",
    "default request value",
    "default limit value",
  ],
  ["min", "default", "default", "min", "min value", "default value"],
  ["default", "max", "default", "max", "default value", "max value"],
];

function boundsFaults(item: JsonObject, resource: string, path: string): FieldError[] {
  const amount = (field: string): unknown => objectAt(item, field)[resource];
  const errors: FieldError[] = [];
  for (const [low, high, named, shown, lowName, highName] of orders) {
    const [least, most] = [amount(low), amount(high)];
    if (least === undefined || most === undefined || (compareQuantities(least, most) ?? 0) <= 0) continue;
    // Limits of pods have no defaults; that is a fault of its own.
    if (item.type === "Pod" && [low, high].some((field) => field.startsWith("default"))) continue;
    const why = `${lowName} ${String(least)} is greater than ${highName} ${String(most)}`;
    errors.push(fault.invalid(`${path}.${named}[${resource}]`, amount(shown), why));
  }
  const ratio = amount("maxLimitRequestRatio");
  if (ratio === undefined) return errors;
  const at = `${path}.maxLimitRequestRatio[${resource}]`;
  if ((compareQuantities(ratio, 1) ?? 0) < 0)
    errors.push(fault.invalid(at, ratio, `ratio ${String(ratio)} is less than 1`));
  const [least, most, wanted] = [amount("min"), amount("max"), ratio].map(quantityNano);
  if (least !== undefined && least > 0n && most !== undefined && wanted !== undefined) {
    const possible = Number(most) / Number(least);
    if (Number(wanted) / 1e9 > possible) {
      const why = `ratio ${String(ratio)} is greater than max/min = ${possible.toFixed(6)}`;
      errors.push(fault.invalid(at, ratio, why));
    }
  }
  return errors;
}
