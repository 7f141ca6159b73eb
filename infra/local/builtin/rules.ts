import { fault } from "../api-error.ts";
import { isObject, type JsonObject, same } from "../json.ts";
import type { FieldError } from "../resource-type.ts";
import { objectAt, objectsAt, textAt, textsAt } from "./reading.ts";

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Why a text is no RFC 1123 label, in the server's words. */
export const labelFault = (text: string): string | undefined =>
  text.length > 63
    ? "must be no more than 63 bytes"
    : LABEL.test(text)
      ? undefined
      : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

/** Why a text is no RFC 1123 subdomain, in the server's words. */
export const subdomainFault = (text: string): string | undefined =>
  text.length > 253
    ? "must be no more than 253 bytes"
    : SUBDOMAIN.test(text)
      ? undefined
      : "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** Why a text is no name of a port (IANA service name). */
export const serviceNameFault = (text: string): string | undefined => {
  if (text.length > 15) return "must be no more than 15 characters";
  if (!/^[-a-z0-9]+$/.test(text))
    return "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)";
  if (!/[a-z]/.test(text)) return "must contain at least one letter (a-z)";
  if (text.includes("--")) return "must not contain consecutive hyphens";
  return text.startsWith("-") || text.endsWith("-") ? "must not begin or end with a hyphen" : undefined;
};

export const portFault = (port: number): string | undefined =>
  Number.isInteger(port) && port >= 1 && port <= 65535 ? undefined : "must be between 1 and 65535, inclusive";

/** Whether a label selector selects labels. An empty one selects all. */
export function selects(selector: JsonObject, labels: Readonly<Record<string, string>>): boolean {
  const terms = objectsAt(selector, "matchExpressions");
  return (
    Object.entries(textsAt(selector, "matchLabels")).every(([name, value]) => labels[name] === value) &&
    terms.every((term) => {
      const value = labels[textAt(term, "key")];
      const values: readonly unknown[] = Array.isArray(term.values) ? term.values : [];
      switch (term.operator) {
        case "In":
          return value !== undefined && values.includes(value);
        case "NotIn":
          return value === undefined || !values.includes(value);
        case "Exists":
          return value !== undefined;
        default:
          return value === undefined;
      }
    })
  );
}

/** The selector of a workload: there, not empty, fitting its template, and never changed. */
export function validateSelector(spec: JsonObject, previous: JsonObject | undefined): FieldError[] {
  const selector = spec.selector;
  if (!isObject(selector)) return [fault.required("spec.selector")];
  const errors: FieldError[] = [];
  if (
    Object.keys(textsAt(selector, "matchLabels")).length === 0 &&
    objectsAt(selector, "matchExpressions").length === 0
  )
    errors.push(fault.invalid("spec.selector", selector, "empty selector is invalid for deployment"));
  const labels = textsAt(objectAt(objectAt(spec, "template"), "metadata"), "labels");
  if (!selects(selector, labels))
    errors.push(
      fault.invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`"),
    );
  if (previous !== undefined) errors.push(...immutable(spec, previous, "selector", "spec.selector"));
  return errors;
}

/** A field that may not change once it is set. */
export const immutable = (now: JsonObject, before: JsonObject, name: string, path: string): FieldError[] =>
  same(now[name], before[name]) ? [] : [fault.invalid(path, now[name], "field is immutable")];

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
