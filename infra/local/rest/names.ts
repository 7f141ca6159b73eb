import { randomInt } from "node:crypto";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { labelForm, letterLabelForm, subdomainForm } from "../forms.ts";
import type { ResourceType } from "../resource-type.ts";

const forms = { subdomain: subdomainForm, label: labelForm, service: letterLabelForm } as const;

/** The faults in the name of an object of a type. */
export function nameFaults(type: ResourceType, name: string, field = "metadata.name"): FieldError[] {
  const kind = type.names ?? (type.group === "" && type.plural === "namespaces" ? "label" : "subdomain");
  if (kind === "path") {
    if (name === "." || name === "..") return [fault.invalid(field, name, `may not be '${name}'`)];
    const bad = ["/", "%"].filter((sign) => name.includes(sign));
    return bad.map((sign) => fault.invalid(field, name, `may not contain '${sign}'`));
  }
  if (kind === "label" && name.includes(".")) return [fault.invalid(field, name, "must not contain dots")];
  return forms[kind](name).map((why) => fault.invalid(field, name, why));
}

const letters = "bcdfghjklmnpqrstvwxz2456789";

/** A name from a prefix and five random letters. */
export function generatedName(prefix: string): string {
  let suffix = "";
  for (let count = 0; count < 5; count++) suffix += letters[randomInt(letters.length)];
  return prefix.slice(0, 58) + suffix;
}
