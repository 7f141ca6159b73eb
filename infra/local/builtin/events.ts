import type { KubeObject } from "../../../shared/kube/object.ts";
import { EventSeries, EventSource, ObjectReference } from "../../../shared/kube/schema/core.ts";
import { int32, microTime, text, time } from "../../../shared/kube/schema/words.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import type { ApiObject, ResourceType } from "../resource-type.ts";
import { builtIn } from "./built-in.ts";
import { objectAt, textAt } from "./reading.ts";

/** Field of core/v1 → field of events.k8s.io/v1, where they differ. */
const SPELLINGS: readonly (readonly [string, string])[] = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["reportingComponent", "reportingController"],
];

function respell(object: KubeObject, apiVersion: string, from: 0 | 1): ApiObject {
  const spelled = { ...structuredClone(object), apiVersion } as ApiObject;
  for (const pair of SPELLINGS) {
    const [old, now] = [pair[from], pair[1 - from] ?? ""];
    if (spelled[old] === undefined) continue;
    spelled[now] = spelled[old];
    delete spelled[old];
  }
  return spelled;
}

/** The server fills these in with empties, because Go holds them as plain structs. */
function fillCore(object: ApiObject): void {
  object.involvedObject ??= {};
  object.source ??= {};
  object.firstTimestamp ??= null;
  object.lastTimestamp ??= null;
  object.eventTime ??= null;
  object.reportingComponent ??= "";
  object.reportingInstance ??= "";
}

function validateCore(object: KubeObject): FieldError[] {
  const involved = textAt(objectAt(object, "involvedObject"), "namespace");
  const { namespace = "" } = object.metadata;
  // Events about objects without a namespace live in `default`, or where their reporter is.
  return involved !== "" && involved !== namespace
    ? [fault.invalid("involvedObject.namespace", involved, "does not match event.namespace")]
    : [];
}

const NOTE_LIMIT = 1024;

function validateNew(object: KubeObject, previous: KubeObject | undefined): FieldError[] {
  if (previous !== undefined || object.eventTime === undefined || object.eventTime === null)
    return previous === undefined && (object.eventTime === undefined || object.eventTime === null)
      ? [fault.required("eventTime")]
      : [];
  const errors: FieldError[] = [];
  for (const field of ["reportingController", "reportingInstance", "action", "reason"])
    if (textAt(object, field) === "") errors.push(fault.required(field));
  if (textAt(object, "note").length > NOTE_LIMIT)
    errors.push(fault.invalid("note", "", `can have at most ${NOTE_LIMIT} characters`));
  if (!["Normal", "Warning"].includes(textAt(object, "type")))
    errors.push(fault.invalid("type", object.type, ""));
  return errors;
}

const shared = {
  action: text.describe("What was done about the object.").optional(),
  eventTime: microTime.nullable().describe("When it happened first.").optional(),
  reason: text.describe("Why, in one CamelCase word.").optional(),
  related: ObjectReference.optional(),
  reportingInstance: text.describe("Which instance of the controller tells it.").optional(),
  series: EventSeries.optional(),
  type: text.describe("Normal or Warning.").optional(),
};
const names = {
  kind: "Event",
  shortNames: ["ev"],
  description: "What happened to an object, for people.",
  names: "path",
} as const;

/** Events of the core group and of events.k8s.io: the same objects in two spellings. */
export const events: readonly ResourceType[] = [
  builtIn({
    ...names,
    fields: {
      ...shared,
      count: int32.describe("How often it happened.").optional(),
      firstTimestamp: time.nullable().optional(),
      involvedObject: ObjectReference.describe("The object that it is about.").optional(),
      lastTimestamp: time.nullable().optional(),
      message: text.describe("What happened, for people.").optional(),
      reportingComponent: text.describe("Which controller tells it.").optional(),
      source: EventSource.optional(),
    },
    selectable: [
      ...["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"].map(
        (field) => `involvedObject.${field}`,
      ),
      "reason",
      "reportingComponent",
      "source",
      "type",
    ],
    strategy: { default: fillCore, validate: validateCore },
  }),
  builtIn({
    ...names,
    group: "events.k8s.io",
    fields: {
      ...shared,
      deprecatedCount: int32.optional(),
      deprecatedFirstTimestamp: time.nullable().optional(),
      deprecatedLastTimestamp: time.nullable().optional(),
      deprecatedSource: EventSource.optional(),
      note: text.describe("What happened, for people.").optional(),
      regarding: ObjectReference.describe("The object that it is about.").optional(),
      reportingController: text.describe("Which controller tells it.").optional(),
    },
    selectable: [
      ...["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"].map(
        (field) => `regarding.${field}`,
      ),
      "reason",
      "reportingController",
      "type",
    ],
    strategy: { validate: validateNew },
    storedAs: {
      group: "",
      plural: "events",
      read(stored) {
        const spelled = respell(stored, "events.k8s.io/v1", 0);
        // Only the core group prints these where they are empty.
        for (const field of ["reportingController", "reportingInstance"])
          if (spelled[field] === "") delete spelled[field];
        return spelled;
      },
      write(object) {
        const core = respell(object, "v1", 1);
        fillCore(core);
        return core;
      },
    },
  }),
];
