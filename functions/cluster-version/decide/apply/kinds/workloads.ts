import { type Fields, fieldOf, fieldsOf } from "../../../../../shared/json/fields.ts";
import { chain, filled } from "../defaults/fill.ts";
import { plain } from "../defaults/plain.ts";
import { podTemplate } from "../defaults/pod.ts";
import { added, exact, fields, ifSaid, type Rule, theirs } from "../rules.ts";
import type { KindRule } from "./kind-rule.ts";
import { podTemplateRule } from "./pod-rule.ts";

/** A kind whose metadata is merged and whose body has one rule for the spec. */
export function specRule(
  complete: (spec: unknown) => unknown,
  spec: Rule,
  refuse?: KindRule["refuse"],
): KindRule {
  const rule = fields({ spec });
  return {
    others: "stay",
    complete: (body) => fieldsOf({ ...body, spec: complete(fieldsOf(body.spec)) }),
    shall: (wanted, there) => fieldsOf(rule(wanted, there)),
    ...(refuse !== undefined && { refuse }),
  };
}

const rolling = filled(
  {},
  { rollingUpdate: (value) => ({ maxUnavailable: "25%", maxSurge: "25%", ...fieldsOf(value) }) },
);
const strategy = (value: unknown): unknown => {
  const typed: Fields = { type: "RollingUpdate", ...fieldsOf(value) };
  return typed.type === "RollingUpdate" ? rolling(typed) : typed;
};

export const deployment = specRule(
  chain(plain, filled({ replicas: 1 }, { strategy, template: podTemplate })),
  fields({
    replicas: exact,
    selector: exact,
    strategy: exact,
    paused: exact,
    minReadySeconds: exact,
    template: podTemplateRule,
  }),
);

export const daemonSet = specRule(
  chain(plain, filled({}, { template: podTemplate })),
  fields({ selector: exact, template: podTemplateRule }),
);

const completeJob = chain(
  plain,
  filled(
    { backoffLimit: 6, completionMode: "NonIndexed", manualSelector: false, suspend: false },
    { template: podTemplate },
  ),
);
/** The server gives each Job a selector of its own. */
const jobSpec = fields({
  selector: theirs,
  activeDeadlineSeconds: exact,
  backoffLimit: exact,
  manualSelector: exact,
  ttlSecondsAfterFinished: exact,
  suspend: exact,
  completionMode: exact,
  podFailurePolicy: exact,
  template: podTemplateRule,
});

export const job = specRule(completeJob, jobSpec, ({ spec }) =>
  fieldOf(spec, "selector") === undefined || fieldOf(spec, "selector") === null
    ? undefined
    : { message: "spec.selector is not supported in Job manifests" },
);

export const cronJob = specRule(
  chain(
    plain,
    filled(
      {
        concurrencyPolicy: "Allow",
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
        suspend: false,
      },
      { jobTemplate: filled({}, { spec: completeJob }) },
    ),
  ),
  fields({
    schedule: exact,
    timeZone: exact,
    startingDeadlineSeconds: exact,
    concurrencyPolicy: exact,
    suspend: exact,
    successfulJobsHistoryLimit: exact,
    failedJobsHistoryLimit: exact,
    jobTemplate: fields({ metadata: fields({ labels: added, annotations: added }), spec: jobSpec }, ifSaid),
  }),
  ({ spec }) => {
    const selector = fieldOf(fieldOf(fieldOf(spec, "jobTemplate"), "spec"), "selector");
    return selector === undefined || selector === null
      ? undefined
      : { message: "spec.selector is not supported in Job manifests" };
  },
);
