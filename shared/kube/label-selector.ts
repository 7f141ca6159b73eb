import { isRecord } from "../json/fields.ts";

/** True where labels fit a LabelSelector of an object: an empty one takes everything, none takes nothing. */
export function matchesLabelSelector(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  if (!isRecord(selector)) return false;
  const wanted = isRecord(selector.matchLabels) ? Object.entries(selector.matchLabels) : [];
  const terms = Array.isArray(selector.matchExpressions) ? selector.matchExpressions : [];
  return wanted.every(([key, value]) => labels[key] === value) && terms.every((term) => fits(term, labels));
}

function fits(term: unknown, labels: Readonly<Record<string, string>>): boolean {
  if (!isRecord(term)) return false;
  const value = labels[String(term.key)];
  const values: readonly unknown[] = Array.isArray(term.values) ? term.values : [];
  switch (term.operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    default:
      return term.operator === "DoesNotExist" && value === undefined;
  }
}
