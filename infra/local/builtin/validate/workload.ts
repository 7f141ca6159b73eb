import { matchesLabelSelector } from "../../../../shared/kube/label-selector.ts";
import type { FieldError } from "../../../../shared/kube/validation/fault.ts";
import { fault } from "../../../../shared/kube/validation/fault.ts";
import { labelForm } from "../../forms.ts";
import { isObject, type JsonObject } from "../../json.ts";
import { labelSelectorFaults, labelsFaults } from "../../select/label-faults.ts";
import { objectAt, objectsAt, textAt, textsAt } from "../reading.ts";
import { formFaults, immutable, isNothing, notNegative, shareFaults, wholeShareFaults } from "../rules.ts";

/** Labels of a template of pods. */
export const templateLabelFaults = (template: JsonObject, path: string): FieldError[] =>
  labelsFaults(textsAt(objectAt(template, "metadata"), "labels"), `${path}.labels`);

/** The selector of a workload: there, not empty, fitting its template, and never changed. `kind`: in lower case. */
export function selectorFaults(
  spec: JsonObject,
  previous: JsonObject | undefined,
  kind: string,
): FieldError[] {
  const selector = spec.selector;
  if (!isObject(selector)) return [fault.required("spec.selector")];
  const errors = labelSelectorFaults(selector, "spec.selector");
  if (
    Object.keys(textsAt(selector, "matchLabels")).length === 0 &&
    objectsAt(selector, "matchExpressions").length === 0
  )
    errors.push(fault.invalid("spec.selector", selector, `empty selector is invalid for ${kind}`));
  const labels = textsAt(objectAt(objectAt(spec, "template"), "metadata"), "labels");
  if (errors.length > 0 && errors[0]?.field !== "spec.selector")
    errors.push(fault.invalid("spec.selector", selector, "invalid label selector"));
  else if (!matchesLabelSelector(selector, labels))
    errors.push(
      fault.invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`"),
    );
  if (previous !== undefined) errors.push(...immutable(spec, previous, "selector", "spec.selector"));
  return errors;
}

/** The fields that the pods of a workload must not have. `kind`: as the server spells it there. */
export function servingTemplateFaults(spec: JsonObject, kind: string): FieldError[] {
  const template = objectAt(spec, "template");
  const pod = objectAt(template, "spec");
  const errors = templateLabelFaults(template, "spec.template");
  if (pod.restartPolicy !== "Always")
    errors.push(fault.unsupported("spec.template.spec.restartPolicy", pod.restartPolicy, ['"Always"']));
  if (pod.activeDeadlineSeconds !== undefined) {
    const why = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(fault.forbidden("spec.template.spec.activeDeadlineSeconds", why));
  }
  return errors;
}

/** Times and the roll-out of a Deployment. */
export function deploymentFaults(spec: JsonObject): FieldError[] {
  const strategy = objectAt(spec, "strategy");
  const rolling = objectAt(strategy, "rollingUpdate");
  const at = "spec.strategy.rollingUpdate";
  const errors = [
    ...notNegative(spec, "revisionHistoryLimit", "spec"),
    ...notNegative(spec, "progressDeadlineSeconds", "spec"),
  ];
  if (strategy.type === "Recreate" && isObject(strategy.rollingUpdate))
    errors.push(fault.forbidden(at, "may not be specified when strategy `type` is 'Recreate'"));
  else if (isObject(strategy.rollingUpdate)) {
    const faults = [
      ...shareFaults(rolling.maxUnavailable, `${at}.maxUnavailable`),
      ...wholeShareFaults(rolling.maxSurge, `${at}.maxSurge`),
    ];
    if (faults.length === 0 && isNothing(rolling.maxUnavailable) && isNothing(rolling.maxSurge)) {
      const why = "may not be 0 when `maxSurge` is 0";
      faults.push(fault.invalid(`${at}.maxUnavailable`, rolling.maxUnavailable, why));
    }
    errors.push(...faults);
  }
  const [deadline, ready] = [spec.progressDeadlineSeconds, spec.minReadySeconds ?? 0];
  if (typeof deadline === "number" && typeof ready === "number" && deadline <= ready)
    errors.push(
      fault.invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds"),
    );
  return errors;
}

/** The roll-out of a DaemonSet. */
export function daemonSetFaults(spec: JsonObject): FieldError[] {
  const rolling = objectAt(spec, "updateStrategy").rollingUpdate;
  if (!isObject(rolling)) return [];
  const at = "spec.updateStrategy.rollingUpdate";
  const { maxUnavailable, maxSurge } = rolling;
  const errors = [
    ...shareFaults(maxUnavailable, `${at}.maxUnavailable`),
    ...shareFaults(maxSurge, `${at}.maxSurge`),
  ];
  if (errors.length > 0) return errors;
  if (!isNothing(maxUnavailable) && !isNothing(maxSurge))
    return [fault.invalid(`${at}.maxSurge`, maxSurge, "may not be set when maxUnavailable is non-zero")];
  return isNothing(maxUnavailable) && isNothing(maxSurge)
    ? [fault.required(`${at}.maxUnavailable`, "cannot be 0 when maxSurge is 0")]
    : [];
}

/** The faults of the parts that only a StatefulSet has. */
export function statefulSetFaults(spec: JsonObject): FieldError[] {
  const strategy = objectAt(spec, "updateStrategy");
  const rolling = strategy.rollingUpdate;
  const at = "spec.updateStrategy.rollingUpdate";
  const errors = [
    ...notNegative(objectAt(spec, "ordinals"), "start", "spec.ordinals"),
    ...formFaults(textAt(spec, "serviceName"), labelForm, "spec.serviceName"),
  ];
  if (strategy.type === "OnDelete" && isObject(rolling)) {
    // The server shows its own struct, whose fields have Go's names.
    const shown = { Partition: rolling.partition ?? 0, MaxUnavailable: rolling.maxUnavailable ?? null };
    errors.push(fault.invalid(at, shown, "only allowed for updateStrategy 'RollingUpdate'"));
  } else if (isObject(rolling)) errors.push(...notNegative(rolling, "partition", at));
  const retention = objectAt(spec, "persistentVolumeClaimRetentionPolicy");
  for (const field of ["whenDeleted", "whenScaled"]) {
    const given = retention[field];
    if (given !== undefined && given !== "Retain" && given !== "Delete")
      errors.push(
        fault.unsupported(`spec.persistentVolumeClaimRetentionPolicy.${field}`, given, [
          '"Retain"',
          '"Delete"',
        ]),
      );
  }
  return errors;
}
