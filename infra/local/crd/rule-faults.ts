import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import type { StructuralSchema, ValidationRule } from "../../../shared/kube/validation/structural-schema.ts";
import { messageFault, namesOldSelf, ruleFault } from "../cel/rules.ts";
import { isObject } from "../json.ts";

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** Faults of a schema's CEL rules. `uncorrelatable` is the list above them whose old items are not known, where there is one. */
export function ruleFaults(
  schema: StructuralSchema,
  path: string,
  uncorrelatable: string | undefined,
): FieldError[] {
  return (schema["x-kubernetes-validations"] ?? []).flatMap((rule, index) =>
    faultsOf(schema, rule, `${path}.x-kubernetes-validations[${index}]`, uncorrelatable),
  );
}

function faultsOf(
  schema: StructuralSchema,
  rule: ValidationRule,
  at: string,
  uncorrelatable: string | undefined,
): FieldError[] {
  if (typeof rule.rule !== "string" || rule.rule.trim() === "")
    return [fault.required(`${at}.rule`, "rule is not specified")];
  const errors = wordFaults(schema, rule, at);
  // Only there rules see apiVersion, kind and metadata.
  const root = /openAPIV3Schema\.x-kubernetes-validations\[\d+\]$/.test(at);
  const wrong = ruleFault(schema, rule, root);
  if (wrong !== undefined) errors.push(fault.invalid(`${at}.rule`, rule, wrong));
  else if (namesOldSelf(schema, rule)) {
    if (uncorrelatable !== undefined)
      errors.push(
        fault.invalid(
          `${at}.rule`,
          rule.rule,
          `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`,
        ),
      );
  } else if (rule.optionalOldSelf !== undefined) {
    const why = "may not be set if oldSelf is not used in rule";
    errors.push(fault.invalid(`${at}.optionalOldSelf`, rule.optionalOldSelf, why));
  }
  if (rule.messageExpression !== undefined && rule.messageExpression.trim() !== "") {
    const faulty = messageFault(schema, rule, rule.messageExpression, root);
    if (faulty !== undefined) errors.push(fault.invalid(`${at}.messageExpression`, rule, faulty));
  }
  return errors;
}

/** Faults of what stands beside the rule. */
function wordFaults(schema: StructuralSchema, rule: ValidationRule, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const { message, messageExpression, reason } = rule;
  if (message !== undefined && message !== "" && message.trim() === "")
    errors.push(fault.invalid(`${at}.message`, message, "must be non-empty if specified"));
  else if (message?.trim().includes("\n"))
    errors.push(fault.invalid(`${at}.message`, message, "must not contain line breaks"));
  else if (!message && rule.rule.trim().includes("\n"))
    errors.push(fault.required(`${at}.message`, "message must be specified if rule contains line breaks"));
  if (messageExpression !== undefined && messageExpression !== "" && messageExpression.trim() === "")
    errors.push(
      fault.required(`${at}.messageExpression`, "messageExpression must be non-empty if specified"),
    );
  if (reason !== undefined && !reasons.includes(reason))
    errors.push(
      fault.unsupported(
        `${at}.reason`,
        reason,
        reasons.map((one) => JSON.stringify(one)),
      ),
    );
  if (rule.fieldPath !== undefined && rule.fieldPath !== "" && !leadsTo(schema, rule.fieldPath))
    errors.push(fault.invalid(`${at}.fieldPath`, rule.fieldPath, "must be a valid path"));
  return errors;
}

/** True where a path like `.a.b['c']` leads to a field of the schema. */
function leadsTo(schema: StructuralSchema, path: string): boolean {
  let at: StructuralSchema | undefined = schema;
  let rest = path;
  while (rest !== "") {
    const step = /^(?:\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\])/.exec(rest);
    const name = step?.[1] ?? step?.[2];
    if (step === null || name === undefined) return false;
    at = at.properties?.[name] ?? (isObject(at.additionalProperties) ? at.additionalProperties : undefined);
    if (at === undefined) return false;
    rest = rest.slice(step[0].length);
  }
  return true;
}
