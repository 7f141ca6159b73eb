import { compareQuantities, quantityNano, sameQuantity } from "../../../../shared/kube/quantity.ts";
import type { FieldError } from "../../../../shared/kube/validation/fault.ts";
import { fault } from "../../../../shared/kube/validation/fault.ts";
import { qualifiedNameForm } from "../../forms.ts";
import type { JsonObject } from "../../json.ts";
import { objectAt } from "../reading.ts";
import { isWhole } from "../rules.ts";

const standard = new Set(["cpu", "memory", "ephemeral-storage"]);
const isOwn = (name: string): boolean => standard.has(name) || name.startsWith("hugepages-");
/** True for a resource that devices offer: whole, and never more asked for than there is. */
const isExtended = (name: string): boolean =>
  name.includes("/") && !name.includes("kubernetes.io/") && !name.startsWith("requests.");

/** Amounts are amounts, of things that there are, and nobody asks for more than the limit. */
export function resourcesFaults(resources: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const limits = objectAt(resources, "limits");
  const requests = objectAt(resources, "requests");
  for (const [list, amounts] of [
    ["limits", limits],
    ["requests", requests],
  ] as const)
    for (const [name, amount] of Object.entries(amounts))
      errors.push(...amountFaults(name, amount, `${path}.${list}[${name}]`));
  for (const [name, asked] of Object.entries(requests)) {
    const limit = limits[name];
    if (limit === undefined) {
      const why = "Limit must be set for non overcommitable resources";
      if (isExtended(name)) errors.push(fault.required(`${path}.limits`, why));
    } else if (isExtended(name) && !sameQuantity(asked, limit)) {
      const why = `must be equal to ${name} limit of ${String(limit)}`;
      errors.push(fault.invalid(`${path}.requests`, asked, why));
    } else if ((compareQuantities(asked, limit) ?? 0) > 0) {
      const why = `must be less than or equal to ${name} limit of ${String(limit)}`;
      errors.push(fault.invalid(`${path}.requests`, asked, why));
    }
  }
  return errors;
}

function amountFaults(name: string, amount: unknown, path: string): FieldError[] {
  const form = qualifiedNameForm(name);
  const errors = form.map((why) => fault.invalid(path, name, why));
  if (!name.includes("/") && !isOwn(name)) {
    if (form.length === 0)
      errors.push(fault.invalid(path, name, "must be a standard resource type or fully qualified"));
    errors.push(fault.invalid(path, name, "must be a standard resource for containers"));
  }
  if ((compareQuantities(amount, 0) ?? 0) < 0)
    errors.push(fault.invalid(path, amount, "must be greater than or equal to 0"));
  if (isExtended(name) && quantityNano(amount) !== undefined && !isWhole(amount))
    errors.push(fault.invalid(path, amount, "must be an integer"));
  return errors;
}
