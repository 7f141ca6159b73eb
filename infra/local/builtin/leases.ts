import { LeaseSpec } from "../../../shared/kube/schema/lease.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { builtIn } from "./built-in.ts";
import { objectAt, objectIn } from "./reading.ts";

/** A leader. Times are in microseconds: Go refuses to read others. */
export const lease = builtIn({
  group: "coordination.k8s.io",
  kind: "Lease",
  description: "Who leads, and until when.",
  fields: { spec: LeaseSpec.optional() },
  strategy: {
    default(object) {
      objectIn(object, "spec");
    },
    validate(object) {
      const spec = objectAt(object, "spec");
      const errors: FieldError[] = [];
      const { leaseDurationSeconds: duration, leaseTransitions: transitions } = spec;
      if (typeof duration === "number" && duration <= 0)
        errors.push(fault.invalid("spec.leaseDurationSeconds", duration, "must be greater than 0"));
      if (typeof transitions === "number" && transitions < 0)
        errors.push(
          fault.invalid("spec.leaseTransitions", transitions, "must be greater than or equal to 0"),
        );
      for (const field of ["acquireTime", "renewTime"]) {
        const time = spec[field];
        if (
          typeof time === "string" &&
          !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$/.test(time)
        )
          errors.push(
            fault.invalid(
              `spec.${field}`,
              time,
              "must be a time in microseconds, for example 2006-01-02T15:04:05.000000Z",
            ),
          );
      }
      return errors;
    },
  },
});
