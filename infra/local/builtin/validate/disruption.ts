import type { FieldError } from "../../../../shared/kube/validation/fault.ts";
import { fault } from "../../../../shared/kube/validation/fault.ts";
import type { JsonObject } from "../../json.ts";
import { labelSelectorFaults } from "../../select/label-faults.ts";
import { shareFaults } from "../rules.ts";

/** The faults for which the server refuses a PodDisruptionBudget. */
export function disruptionBudgetFaults(spec: JsonObject): FieldError[] {
  const { minAvailable, maxUnavailable } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    // The server shows its own struct, whose fields have Go's names.
    const shown = {
      MinAvailable: minAvailable,
      Selector: spec.selector ?? null,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
    };
    errors.push(fault.invalid("spec", shown, "minAvailable and maxUnavailable cannot be both set"));
  }
  return [
    ...errors,
    ...shareFaults(minAvailable, "spec.minAvailable"),
    ...shareFaults(maxUnavailable, "spec.maxUnavailable"),
    ...labelSelectorFaults(spec.selector, "spec.selector"),
  ];
}
