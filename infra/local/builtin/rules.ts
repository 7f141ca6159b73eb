import { sameJson } from "../../../shared/json/same-json.ts";
import { quantityNano } from "../../../shared/kube/quantity.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { type Form, portNameForm } from "../forms.ts";
import type { JsonObject } from "../json.ts";
import { objectAt } from "./reading.ts";

/** A text of a form, where it stands. An empty one counts as left out. */
export const formFaults = (text: string, form: Form, path: string): FieldError[] =>
  text === "" ? [] : form(text).map((why) => fault.invalid(path, text, why));

const portRange = "must be between 1 and 65535, inclusive";

/** The number of a port. */
export const portFaults = (port: number, path: string): FieldError[] =>
  Number.isInteger(port) && port >= 1 && port <= 65535 ? [] : [fault.invalid(path, port, portRange)];

/** The number of a port, or its name. */
export const portOrNameFaults = (port: unknown, path: string): FieldError[] =>
  typeof port === "number"
    ? portFaults(port, path)
    : portNameForm(String(port)).map((why) => fault.invalid(path, port, why));

/** A number or a share: neither below nothing. */
export function wholeShareFaults(share: unknown, path: string): FieldError[] {
  const why =
    typeof share === "number" && share < 0
      ? "must be greater than or equal to 0"
      : typeof share === "string" && !/^[0-9]+%$/.test(share)
        ? "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
        : undefined;
  return why === undefined ? [] : [fault.invalid(path, share, why)];
}

/** The faults of a share as `wholeShareFaults` finds them, and of one above all. */
export function shareFaults(share: unknown, path: string): FieldError[] {
  const errors = wholeShareFaults(share, path);
  const beyond = errors.length === 0 && typeof share === "string" && Number.parseInt(share, 10) > 100;
  return beyond ? [fault.invalid(path, share, "must not be greater than 100%")] : errors;
}

/** True where a number or share is 0. */
export const isNothing = (share: unknown): boolean =>
  share === undefined || share === 0 || (typeof share === "string" && /^0+%$/.test(share));

/** True where a quantity has no fraction. */
export const isWhole = (amount: unknown): boolean => (quantityNano(amount) ?? 0n) % 1_000_000_000n === 0n;

/** A field that may not change once it is set. */
export const immutable = (now: JsonObject, before: JsonObject, name: string, path: string): FieldError[] =>
  sameJson(now[name], before[name]) ? [] : [fault.invalid(path, now[name], "field is immutable")];

/** A number that may not be negative. */
export const notNegative = (object: JsonObject, name: string, path: string): FieldError[] => {
  const found = object[name];
  return typeof found === "number" && found < 0
    ? [fault.invalid(`${path}.${name}`, found, "must be greater than or equal to 0")]
    : [];
};

/** Keys of ConfigMaps and Secrets. */
export const keyFaults = (object: JsonObject, field: string): FieldError[] =>
  Object.keys(objectAt(object, field)).flatMap((key) => {
    if (/^[-._a-zA-Z0-9]+$/.test(key) && key !== "." && key !== ".." && key.length <= 253) return [];
    const why =
      key.length > 253
        ? "must be no more than 253 bytes"
        : key === "." || key === ".."
          ? `must not be '${key}'`
          : "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
    return [fault.invalid(`${field}[${key}]`, key, why)];
  });
