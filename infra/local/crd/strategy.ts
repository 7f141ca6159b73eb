import { sameJson } from "../../../shared/json/same-json.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { isObject, type JsonObject } from "../json.ts";
import { timestamp } from "../kernel.ts";
import type { ApiObject, Registry, Strategy } from "../resource-type.ts";
import { type Condition, conditionsOf, type DefinitionSpec, isTrue, specOf } from "./definition.ts";
import { validateDefinition } from "./validate.ts";

/** Keeps a deleted CRD until its objects are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** The server's work on CRDs beside storing them: names, conditions, the clean-up finalizer. */
export const definitionStrategy = (registry: Registry): Strategy => ({
  default: fillNames,
  prepareForCreate(object, { now }) {
    object.status = statusOf(object, undefined, registry, timestamp(now));
  },
  prepareForUpdate(object, previous, { now, subresource }) {
    if (subresource === undefined) object.status = statusOf(object, previous, registry, timestamp(now));
  },
  prepareForDelete(object, { now }) {
    object.metadata.finalizers = [...new Set([...(object.metadata.finalizers ?? []), cleanupFinalizer])];
    setCondition(object, {
      type: "Terminating",
      status: "True",
      lastTransitionTime: timestamp(now),
      reason: "InstanceDeletionInProgress",
      message: "CustomResource deletion is in progress",
    });
  },
  validate: (object, previous, subresource) =>
    subresource === undefined ? validateDefinition(object, previous) : [],
});

function fillNames(object: ApiObject): void {
  const { spec } = object;
  if (!isObject(spec)) return;
  if (isObject(spec.names)) {
    const { names } = spec;
    if (typeof names.kind === "string") {
      names.singular ??= names.kind.toLowerCase();
      names.listKind ??= `${names.kind}List`;
    }
  }
  if (spec.conversion === undefined) spec.conversion = { strategy: "None" };
  for (const version of Array.isArray(spec.versions) ? spec.versions : []) {
    if (!isObject(version) || !Array.isArray(version.additionalPrinterColumns)) continue;
    if (version.additionalPrinterColumns.length === 0) delete version.additionalPrinterColumns;
  }
}

function setCondition(object: ApiObject, condition: Condition): void {
  const status: JsonObject = isObject(object.status) ? object.status : {};
  const before = conditionsOf(object);
  const known = before.find(({ type }) => type === condition.type);
  const next = known?.status === condition.status && known.reason === condition.reason ? known : condition;
  object.status = {
    ...status,
    conditions: known === undefined ? [...before, next] : before.map((one) => (one === known ? next : one)),
  };
}

function statusOf(
  object: ApiObject,
  previous: KubeObject | undefined,
  registry: Registry,
  time: string,
): JsonObject {
  const spec = specOf(object);
  const before: JsonObject = isObject(previous?.status) ? previous.status : {};
  if (!isObject(spec?.names) || !Array.isArray(spec.versions)) return before;
  const clash = namesClash(spec, registry);
  const accepted = previous !== undefined && clash !== undefined ? before.acceptedNames : namesIn(spec);
  const stored = Array.isArray(before.storedVersions) ? before.storedVersions : [];
  const storage = spec.versions.find((version) => version.storage)?.name;
  const draft: ApiObject = {
    ...object,
    status: {
      ...before,
      acceptedNames: accepted ?? { plural: "", kind: "" },
      storedVersions: storage === undefined || stored.includes(storage) ? stored : [...stored, storage],
    },
  };
  const condition = (type: string, status: string, reason: string, message: string): void =>
    setCondition(draft, { type, status, lastTransitionTime: time, reason, message });
  if (clash === undefined) {
    condition("NamesAccepted", "True", "NoConflicts", "no conflicts found");
    condition("Established", "True", "InitialNamesAccepted", "the initial names have been accepted");
  } else {
    condition("NamesAccepted", "False", clash.reason, clash.message);
    if (previous === undefined || !isTrue(previous, "Established")) {
      condition("Established", "False", "NotAccepted", "not all names are accepted");
    }
  }
  return draft.status as JsonObject;
}

function namesIn({ names }: DefinitionSpec): JsonObject {
  const { plural, singular, shortNames, kind, listKind, categories } = names;
  return Object.fromEntries(
    Object.entries({ plural, singular, shortNames, kind, listKind, categories }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

/** A name that another resource of the group already has. */
function namesClash(
  { group, names }: DefinitionSpec,
  registry: Registry,
): { readonly reason: string; readonly message: string } | undefined {
  const others = registry.all().filter((type) => type.group === group && type.plural !== names.plural);
  const taken = new Set(others.flatMap((type) => [type.plural, type.singular, ...type.shortNames]));
  const word = (name: string): string => `"${name}" is already in use`;
  if (taken.has(names.plural)) return { reason: "PluralConflict", message: word(names.plural) };
  if (taken.has(names.singular)) return { reason: "SingularConflict", message: word(names.singular) };
  const short = names.shortNames?.find((name) => taken.has(name));
  if (short !== undefined) return { reason: "ShortNamesConflict", message: word(short) };
  const kinds = new Set(others.flatMap((type) => [type.kind, type.listKind]));
  if (kinds.has(names.kind)) return { reason: "KindConflict", message: word(names.kind) };
  if (kinds.has(names.listKind)) return { reason: "ListKindConflict", message: word(names.listKind) };
  return undefined;
}

/** True where the change of a CRD ends the open watches of its kind: everything but labels and the like does. */
export const changesServing = (before: KubeObject, after: KubeObject): boolean =>
  !sameJson(before.spec, after.spec) || isTrue(before, "Established") !== isTrue(after, "Established");
