import { randomUUID } from "node:crypto";
import { sameJson } from "../../../shared/json/same-json.ts";
import { matchesLabelSelector } from "../../../shared/kube/label-selector.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { CronJobSpec, CronJobStatus, JobSpec, JobStatus } from "../../../shared/kube/schema/jobs.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { ApiObject, ResourceType, Strategy } from "../resource-type.ts";
import { builtIn } from "./built-in.ts";
import { defaultPodTemplate } from "./pod-defaults.ts";
import { validatePodSpec } from "./pod-validation.ts";
import { fillIn, objectAt, objectIn, textsAt } from "./reading.ts";
import { immutable, notNegative } from "./rules.ts";
import { scheduleFaults } from "./validate/cron.ts";
import { templateLabelFaults } from "./validate/workload.ts";

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
  const inherits = sameJson(
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
  uid: string | undefined,
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
  errors.push(...indexFaults(spec, path));
  if (uid !== undefined) {
    const labels = textsAt(objectAt(template, "metadata"), "labels");
    if (!isObject(spec.selector)) errors.push(fault.required(`${path}.selector`));
    else if (spec.manualSelector !== true && !sameJson(spec.selector, generatedSelector(uid)))
      errors.push(fault.invalid(`${path}.selector`, spec.selector, "`selector` not auto-generated"));
    if (isObject(spec.selector) && !matchesLabelSelector(spec.selector, labels))
      errors.push(
        fault.invalid(
          `${path}.template.metadata.labels`,
          labels,
          "`selector` does not match template `labels`",
        ),
      );
  }
  errors.push(...templateLabelFaults(template, `${path}.template`));
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

const generatedSelector = (uid: string): JsonObject => ({
  matchLabels: { "batch.kubernetes.io/controller-uid": uid },
});
const MOST_AT_ONCE = 100_000;

/** The faults of fields that go only with indexes, and of how many indexes run at once. */
function indexFaults(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const indexed = spec.completionMode === "Indexed";
  if (indexed && spec.completions === undefined)
    errors.push(fault.required(`${path}.completions`, "when completion mode is Indexed"));
  if (indexed && Number(spec.parallelism) > MOST_AT_ONCE) {
    const why = `must be less than or equal to ${MOST_AT_ONCE} when completion mode is Indexed`;
    errors.push(fault.invalid(`${path}.parallelism`, spec.parallelism, why));
  }
  if (!indexed && spec.backoffLimitPerIndex !== undefined) {
    const why = "requires indexed completion mode";
    errors.push(fault.invalid(`${path}.backoffLimitPerIndex`, spec.backoffLimitPerIndex, why));
  }
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined)
    errors.push(fault.required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified"));
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
      object.metadata.uid,
    );
  },
};

/** A finished Job stays finished. */
function validateJobStatus(object: KubeObject, previous: KubeObject | undefined): FieldError[] {
  const now = objectAt(object, "status");
  const before = objectAt(previous ?? {}, "status");
  return before.completionTime !== undefined && !sameJson(now.completionTime, before.completionTime)
    ? [fault.invalid("status.completionTime", now.completionTime, "field is immutable")]
    : [];
}

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
    const job = objectAt(objectAt(spec, "jobTemplate"), "spec");
    const at = "spec.jobTemplate.spec";
    const errors = [
      ...scheduleFaults(spec),
      ...["startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"].flatMap(
        (field) => notNegative(spec, field, "spec"),
      ),
    ];
    // Its Jobs are named by it and a time.
    if (object.metadata.name.length > 52)
      errors.push(fault.invalid("metadata.name", object.metadata.name, "must be no more than 52 characters"));
    if (isObject(job.selector))
      errors.push(fault.invalid(`${at}.selector`, job.selector, "`selector` will be auto-generated"));
    if (job.manualSelector === true)
      errors.push(fault.unsupported(`${at}.manualSelector`, true, ['"nil"', '"false"']));
    return [...errors, ...validateJobSpec(job, undefined, at, undefined)];
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
