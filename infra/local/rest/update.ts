import { fault } from "../../../shared/kube/validation/fault.ts";
import { conflict, invalid, staleVersion } from "../api-error.ts";
import { trackUpdate, unchanged } from "../fields/track.ts";
import { erase, type Kernel, save, timestamp, type WriteRequest } from "../kernel.ts";
import type { ApiObject, ResourceType } from "../resource-type.ts";
import { admissionOf } from "./admission/index.ts";
import { fillDefaults, requireValid } from "./admit.ts";
import { placeInNamespace, requireFits } from "./create.ts";
import { contentDiffers, deletionFaults } from "./metadata.ts";

/** The origin of a new state. */
export interface UpdateOptions {
  /** A whole object by PUT: must name its version, and a foreign uid is a conflict. */
  readonly replace?: boolean;
  /** True where its managers are set already. */
  readonly applied?: boolean;
}

/** Writes the next state of a live object. `candidate` is normalised and ours. Returns what is stored now. */
export function update(
  kernel: Kernel,
  request: WriteRequest,
  live: ApiObject,
  candidate: ApiObject,
  options: UpdateOptions = {},
): ApiObject {
  const { type, subresource } = request;
  const now = kernel.clock.now();
  requireVersion(request, live, candidate, options);
  placeInNamespace(request, candidate);
  const fixed = subresource === undefined ? deletionFaults(candidate, live) : [];
  if (fixed.length > 0) throw invalid(type.group, type.kind, live.metadata.name, fixed);
  keepSystemFields(live, candidate);
  keepOtherDoors(request, live, candidate, options.applied === true);
  fillDefaults(request, candidate);
  if (options.applied !== true) {
    trackUpdate(type, live, candidate, {
      fieldManager: request.fieldManager,
      subresource,
      time: timestamp(now),
    });
  }
  if (request.admit !== undefined) {
    request.admit(candidate, live);
    keepSystemFields(live, candidate);
    keepOtherDoors(request, live, candidate, true);
  }
  type.strategy?.prepareForUpdate?.(candidate, live, { now, user: request.user, subresource });
  if (type.generation && contentDiffers(live, candidate, type.subresources.status ? "status" : undefined)) {
    candidate.metadata.generation = (live.metadata.generation ?? 0) + 1;
  }
  const admission = admissionOf(type);
  if (admission?.updates === true) admission.fill(kernel, candidate);
  requireValid(request, candidate, live);
  if (admission?.updates === true) admission.judge?.(kernel, candidate);
  requireFits(candidate);
  if (endsDeletion(request, candidate)) {
    if (!request.dryRun) erase(kernel, type, live);
    return candidate;
  }
  if (unchanged(live, candidate)) return live;
  return request.dryRun ? candidate : save(kernel, type, candidate);
}

/** Kinds beside custom resources whose PUT has to name the version that it replaces. */
const versioned = new Set([
  "apiextensions.k8s.io/customresourcedefinitions",
  "coordination.k8s.io/leases",
  "policy/poddisruptionbudgets",
]);
const takesAnyVersion = (type: ResourceType): boolean =>
  !type.custom && !versioned.has(`${type.group}/${type.plural}`);

function requireVersion(
  { type }: WriteRequest,
  live: ApiObject,
  { metadata }: ApiObject,
  { replace }: UpdateOptions,
): void {
  const given = metadata.resourceVersion;
  if (replace === true && metadata.uid && metadata.uid !== live.metadata.uid) {
    throw conflict(type, live.metadata.name, uidMismatch(type, live, metadata.uid));
  }
  if (given === undefined || given === "" || given === "0") {
    if (replace === true && !takesAnyVersion(type)) {
      throw invalid(type.group, type.plural, live.metadata.name, [
        fault.invalid("metadata.resourceVersion", 0, "must be specified for an update"),
      ]);
    }
    if (given === "0" && replace !== true) {
      throw invalid(type.group, type.plural, live.metadata.name, [
        fault.invalid("metadata.resourceVersion", 0, "must be specified for an update"),
      ]);
    }
  } else if (given !== live.metadata.resourceVersion) throw staleVersion(type, live.metadata.name);
}

/** The real server lets the words of its store through. */
function uidMismatch(type: ResourceType, { metadata }: ApiObject, given: string): string {
  const home = [type.group, type.plural, metadata.namespace].filter((part) => part).join("/");
  return `StorageError: invalid object, Code: 4, Key: /registry/${home}/${metadata.name}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${given}, UID in object meta: ${metadata.uid}`;
}

function keepSystemFields(live: ApiObject, { metadata }: ApiObject): void {
  for (const field of [
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "generation",
    "resourceVersion",
    "selfLink",
  ] as const) {
    if (live.metadata[field] === undefined) delete metadata[field];
    else Object.assign(metadata, { [field]: live.metadata[field] });
  }
  if (!metadata.uid) metadata.uid = live.metadata.uid;
  if (live.metadata.generateName !== undefined) metadata.generateName ??= live.metadata.generateName;
}

/** A write through one door leaves alone what belongs to the other. */
function keepOtherDoors(
  { type, subresource }: WriteRequest,
  live: ApiObject,
  candidate: ApiObject,
  applied: boolean,
): void {
  if (subresource === "status") {
    const { status } = candidate;
    const { managedFields, annotations } = candidate.metadata;
    for (const name of Object.keys(candidate)) delete candidate[name];
    Object.assign(candidate, live, { metadata: { ...live.metadata } });
    if (managedFields !== undefined) candidate.metadata.managedFields = managedFields;
    else if (applied) delete candidate.metadata.managedFields;
    // Kinds of the server's own let annotations through: controllers number revisions there without a new generation.
    if (!type.custom && annotations !== undefined) candidate.metadata.annotations = annotations;
    if (status === undefined) delete candidate.status;
    else candidate.status = status;
  } else if (type.subresources.status) {
    if (live.status === undefined) delete candidate.status;
    else candidate.status = live.status;
  }
}

/** A deleted object goes with its last finalizer. */
export function endsDeletion({ type }: WriteRequest, object: ApiObject): boolean {
  return (
    object.metadata.deletionTimestamp !== undefined &&
    (object.metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
    (object.metadata.finalizers?.length ?? 0) === 0 &&
    type.strategy?.holdsDeletion?.(object) !== true
  );
}
