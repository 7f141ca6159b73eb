import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { labelValueForm, qualifiedNameForm } from "../forms.ts";
import { isObject } from "../json.ts";

/** The faults in the keys and values of labels. */
export const labelsFaults = (labels: Readonly<Record<string, unknown>>, path: string): FieldError[] =>
  Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameForm(key).map((why) => fault.invalid(path, key, why)),
    ...labelValueForm(String(value)).map((why) => fault.invalid(path, value, why)),
  ]);

/** The faults in a LabelSelector of an object. */
export function labelSelectorFaults(selector: unknown, path: string): FieldError[] {
  if (!isObject(selector)) return [];
  const errors = isObject(selector.matchLabels)
    ? labelsFaults(selector.matchLabels, `${path}.matchLabels`)
    : [];
  const terms = Array.isArray(selector.matchExpressions) ? selector.matchExpressions : [];
  for (const [index, term] of terms.entries())
    if (isObject(term)) errors.push(...termFaults(term, `${path}.matchExpressions[${index}]`));
  return errors;
}

function termFaults(term: Readonly<Record<string, unknown>>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const values = Array.isArray(term.values) ? term.values : [];
  if (term.operator === "In" || term.operator === "NotIn") {
    if (values.length === 0)
      errors.push(fault.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (term.operator === "Exists" || term.operator === "DoesNotExist") {
    if (values.length > 0)
      errors.push(
        fault.forbidden(
          `${path}.values`,
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      );
  } else errors.push(fault.invalid(`${path}.operator`, term.operator ?? "", "not a valid selector operator"));
  const key = String(term.key ?? "");
  errors.push(...qualifiedNameForm(key).map((why) => fault.invalid(`${path}.key`, key, why)));
  for (const [index, value] of values.entries())
    errors.push(
      ...labelValueForm(String(value)).map((why) => fault.invalid(`${path}.values[${index}]`, value, why)),
    );
  return errors;
}
