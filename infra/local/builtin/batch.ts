import { randomUUID } from "node:crypto";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { CronJobSpec, CronJobStatus, JobSpec, JobStatus } from "../../../shared/kube/schema/jobs.ts";
import { fault } from "../api-error.ts";
import { isObject, type JsonObject, same } from "../json.ts";
import type { ApiObject, FieldError, ResourceType, Strategy } from "../resource-type.ts";
import { builtIn } from "./built-in.ts";
import { defaultPodTemplate } from "./pod-defaults.ts";
import { validatePodSpec } from "./pod-validation.ts";
import { fillIn, objectAt, objectIn, textAt, textsAt } from "./reading.ts";
import { immutable, notNegative, selects } from "./rules.ts";

const UNLIMITED = 2 ** 31 - 1;

function defaultJobSpec(spec: JsonObject): void {
  defaultPodTemplate(spec);
  if (spec.completions === undefined && spec.parallelism === undefined)
    Object.assign(spec, { completions: 1, parallelism: 1 });
  fillIn(spec, {
    parallelism: 1,
    backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : UNLIMITED,
    completionMode: "NonIndexed",
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: isObject(spec.podFailurePolicy) ? "Failed" : "TerminatingOrFailed",
  });
}

/** Pods of a Job are told by its uid, so that two Jobs of one name, one after the other, do not share them. */
function generateSelector(object: ApiObject): void {
  const spec = objectIn(object, "spec");
  if (spec.manualSelector === true) return;
  object.metadata.uid ??= randomUUID();
  const { uid, name } = object.metadata;
  const inherits = same(
    object.metadata.labels ?? {},
    textsAt(objectAt(objectAt(spec, "template"), "metadata"), "labels"),
  );
  const labels = objectIn(objectIn(objectIn(spec, "template"), "metadata"), "labels");
  Object.assign(labels, {
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
  });
  // A Job that took its template's labels has the generated ones too.
  if (inherits)
    object.metadata.labels = { ...textsAt(objectAt(objectAt(spec, "template"), "metadata"), "labels") };
  const selector = objectIn(spec, "selector");
  objectIn(selector, "matchLabels")["batch.kubernetes.io/controller-uid"] = uid;
}

function validateJobSpec(
  spec: JsonObject,
  before: JsonObject | undefined,
  path: string,
  pods: "selected" | "any",
): FieldError[] {
  const template = objectAt(spec, "template");
  const policy = objectAt(template, "spec").restartPolicy;
  const errors = [
    "parallelism",
    "completions",
    "backoffLimit",
    "activeDeadlineSeconds",
    "ttlSecondsAfterFinished",
  ].flatMap((field) => notNegative(spec, field, path));
  if (pods === "selected") {
    const labels = textsAt(objectAt(template, "metadata"), "labels");
    if (!isObject(spec.selector)) errors.push(fault.required(`${path}.selector`));
    else if (!selects(objectAt(spec, "selector"), labels))
      errors.push(
        fault.invalid(
          `${path}.template.metadata.labels`,
          labels,
          "`selector` does not match template `labels`",
        ),
      );
  }
  errors.push(...validatePodSpec(objectAt(template, "spec"), `${path}.template.spec`));
  if (policy !== "OnFailure" && policy !== "Never")
    errors.push(fault.required(`${path}.template.spec.restartPolicy`, 'valid values: "OnFailure", "Never"'));
  if (before !== undefined)
    // A suspended Job that never ran may still change its template and, where it is indexed, its completions.
    for (const field of ["completions", "selector", "template", "completionMode"])
      if (!(spec.suspend === true && field === "template"))
        errors.push(...immutable(spec, before, field, `${path}.${field}`));
  return errors;
}

const job: Strategy = {
  default(object) {
    const spec = objectIn(object, "spec");
    // A Job without labels takes its template's; the generated ones come later.
    const labels = textsAt(objectAt(objectAt(spec, "template"), "metadata"), "labels");
    if (object.metadata.labels === undefined && Object.keys(labels).length > 0)
      object.metadata.labels = { ...labels };
    defaultJobSpec(spec);
    objectIn(object, "status");
  },
  prepareForCreate(object) {
    object.status = {};
    generateSelector(object);
  },
  validate(object, previous, subresource) {
    if (subresource === "status") return validateJobStatus(object, previous);
    return validateJobSpec(
      objectAt(object, "spec"),
      previous === undefined ? undefined : objectAt(previous, "spec"),
      "spec",
      "selected",
    );
  },
};

/** A finished Job stays finished. */
function validateJobStatus(object: KubeObject, previous: KubeObject | undefined): FieldError[] {
  const now = objectAt(object, "status");
  const before = objectAt(previous ?? {}, "status");
  return before.completionTime !== undefined && !same(now.completionTime, before.completionTime)
    ? [fault.invalid("status.completionTime", now.completionTime, "field is immutable")]
    : [];
}

const SCHEDULE = /^(@(yearly|annually|monthly|weekly|daily|midnight|hourly|every .+)|(\S+\s+){4}\S+)$/;

const cronJob: Strategy = {
  default(object) {
    const spec = objectIn(object, "spec");
    fillIn(spec, {
      concurrencyPolicy: "Allow",
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    const template = objectIn(spec, "jobTemplate");
    const jobSpec = objectIn(template, "spec");
    objectIn(template, "metadata");
    defaultPodTemplate(jobSpec);
    objectIn(object, "status");
  },
  prepareForCreate(object) {
    object.status = {};
  },
  validate(object, _previous, subresource) {
    if (subresource === "status") return [];
    const spec = objectAt(object, "spec");
    const schedule = textAt(spec, "schedule");
    const errors: FieldError[] = [];
    if (schedule === "") errors.push(fault.required("spec.schedule"));
    else if (!SCHEDULE.test(schedule))
      errors.push(
        fault.invalid(
          "spec.schedule",
          schedule,
          `expected exactly 5 fields, found ${schedule.trim().split(/\s+/).length}: [${schedule.trim().split(/\s+/).join(" ")}]`,
        ),
      );
    return [
      ...errors,
      ...validateJobSpec(
        objectAt(objectAt(spec, "jobTemplate"), "spec"),
        undefined,
        "spec.jobTemplate.spec",
        "any",
      ),
    ];
  },
};

/** batch/v1. */
export const batch: readonly ResourceType[] = [
  builtIn({
    group: "batch",
    kind: "CronJob",
    shortNames: ["cj"],
    categories: ["all"],
    description: "Starts a Job by the clock.",
    fields: { spec: CronJobSpec.optional(), status: CronJobStatus.optional() },
    status: true,
    generation: true,
    strategy: cronJob,
  }),
  builtIn({
    group: "batch",
    kind: "Job",
    categories: ["all"],
    description: "Runs pods until enough of them have succeeded.",
    fields: { spec: JobSpec.optional(), status: JobStatus.optional() },
    status: true,
    generation: true,
    selectable: ["status.successful"],
    strategy: job,
  }),
];
