import { randomInt } from "node:crypto";
import { fault } from "../api-error.ts";
import type { FieldError, ResourceType } from "../resource-type.ts";

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const service = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

const rules = {
  subdomain: {
    shape: subdomain,
    most: 253,
    detail:
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  },
  label: {
    shape: label,
    most: 63,
    detail:
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  },
  service: {
    shape: service,
    most: 63,
    detail:
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  },
} as const;

/** What is wrong with the name of an object of a type. */
export function nameFaults(type: ResourceType, name: string, field = "metadata.name"): FieldError[] {
  const kind = type.names ?? (type.group === "" && type.plural === "namespaces" ? "label" : "subdomain");
  if (kind === "path") {
    if (name === "." || name === "..") return [fault.invalid(field, name, `may not be '${name}'`)];
    const bad = ["/", "%"].filter((sign) => name.includes(sign));
    return bad.map((sign) => fault.invalid(field, name, `may not contain '${sign}'`));
  }
  const rule = rules[kind];
  if (kind === "label" && name.includes(".")) return [fault.invalid(field, name, "must not contain dots")];
  const errors: FieldError[] = [];
  if (name.length > rule.most)
    errors.push(fault.invalid(field, name, `must be no more than ${rule.most} bytes`));
  if (!rule.shape.test(name)) errors.push(fault.invalid(field, name, rule.detail));
  return errors;
}

const letters = "bcdfghjklmnpqrstvwxz2456789";

/** A name from a prefix and five random letters. */
export function generatedName(prefix: string): string {
  let suffix = "";
  for (let count = 0; count < 5; count++) suffix += letters[randomInt(letters.length)];
  return prefix.slice(0, 58) + suffix;
}
