import { compareQuantities, quantityNano } from "../../../../shared/kube/quantity.ts";
import type { FieldError } from "../../../../shared/kube/validation/fault.ts";
import { fault } from "../../../../shared/kube/validation/fault.ts";
import { qualifiedNameForm } from "../../forms.ts";
import { isObject, type JsonObject } from "../../json.ts";
import { objectAt, objectsAt, textAt } from "../reading.ts";
import { isWhole } from "../rules.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
const compute = words("cpu memory limits.cpu limits.memory requests.cpu requests.memory");
const counted = words(`pods services replicationcontrollers resourcequotas secrets configmaps
  persistentvolumeclaims services.nodeports services.loadbalancers`);
const standard = new Set([
  ...compute,
  ...counted,
  ...words("ephemeral-storage requests.storage requests.ephemeral-storage limits.ephemeral-storage"),
]);
const storage = words("persistentvolumeclaims requests.storage");

const present = new Set([
  "BestEffort",
  "NotBestEffort",
  "Terminating",
  "NotTerminating",
  "CrossNamespacePodAffinity",
]);
const opposites = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

/** The faults for which the server refuses a ResourceQuota. */
export function quotaFaults(spec: JsonObject): FieldError[] {
  const hard = objectAt(spec, "hard");
  return [
    ...Object.entries(hard).flatMap(([name, amount]) => limitFaults(name, amount)),
    ...scopesFaults(spec.scopes, Object.keys(hard)),
    ...selectorFaults(spec.scopeSelector, Object.keys(hard)),
  ];
}

function limitFaults(name: string, amount: unknown): FieldError[] {
  const path = `spec.hard[${name}]`;
  const errors: FieldError[] = [];
  const wrong = (why: string): number => errors.push(fault.invalid(path, name, why));
  const form = qualifiedNameForm(name);
  for (const why of form) wrong(why);
  const own = standard.has(name) || name.startsWith("hugepages-") || name.startsWith("requests.hugepages-");
  if (!name.includes("/") && !own) {
    if (form.length === 0) wrong("must be a standard resource type or fully qualified");
    wrong("must be a standard resource for quota");
  }
  if ((compareQuantities(amount, 0) ?? 0) < 0)
    errors.push(fault.invalid(path, amount, "must be greater than or equal to 0"));
  const extended = name.includes("/") && !name.includes("kubernetes.io/") && !name.startsWith("requests.");
  if ((counted.has(name) || extended) && quantityNano(amount) !== undefined && !isWhole(amount))
    errors.push(fault.invalid(path, amount, "must be an integer"));
  return errors;
}

/** True where a scope can tell objects apart that count for a limit. */
function fits(scope: string, resource: string): boolean {
  if (!standard.has(resource)) return true;
  if (scope === "BestEffort") return resource === "pods";
  if (scope === "VolumeAttributesClass") return storage.has(resource);
  return resource === "pods" || compute.has(resource);
}

function scopesFaults(given: unknown, resources: readonly string[]): FieldError[] {
  const scopes = Array.isArray(given) ? given.map(String) : [];
  const wrong = (why: string): FieldError => fault.invalid("spec.scopes", scopes, why);
  return [
    ...scopes.flatMap((scope) =>
      resources.filter((one) => !fits(scope, one)).map(() => wrong("unsupported scope applied to resource")),
    ),
    ...opposites
      .filter((pair) => pair.every((scope) => scopes.includes(scope)))
      .map(() => wrong("conflicting scopes")),
  ];
}

function selectorFaults(selector: unknown, resources: readonly string[]): FieldError[] {
  if (!isObject(selector)) return [];
  const path = "spec.scopeSelector.matchExpressions";
  const errors: FieldError[] = [];
  const terms = objectsAt(selector, "matchExpressions");
  // The server shows its own structs, whose fields have Go's names.
  const shown = {
    MatchExpressions: terms.map((term) => ({
      ScopeName: term.scopeName,
      Operator: term.operator,
      Values: term.values ?? null,
    })),
  };
  for (const term of terms) {
    const [scope, operator] = [textAt(term, "scopeName"), textAt(term, "operator")];
    const values = Array.isArray(term.values) ? term.values : [];
    for (const resource of resources)
      if (!fits(scope, resource))
        errors.push(fault.invalid(path, shown, "unsupported scope applied to resource"));
    if (present.has(scope) && operator !== "Exists") {
      const why =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      errors.push(fault.invalid(`${path}.operator`, operator, why));
    }
    if (operator === "In" || operator === "NotIn") {
      const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      if (values.length === 0) errors.push(fault.required(`${path}.values`, why));
    } else if (values.length > 0) {
      const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      errors.push(fault.invalid(`${path}.values`, values, why));
    }
  }
  return errors;
}
