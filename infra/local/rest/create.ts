import { randomUUID } from "node:crypto";
import { ApiError, alreadyExists, badRequest, forbidden, serverFault } from "../api-error.ts";
import { trackUpdate } from "../fields/track.ts";
import { type Kernel, load, save, timestamp, type WriteRequest } from "../kernel.ts";
import type { ApiObject } from "../resource-type.ts";
import { admissionOf } from "./admission/index.ts";
import { fillDefaults, requireValid } from "./admit.ts";
import { generatedName } from "./names.ts";
import { requireNamespace } from "./namespaces.ts";

const largestObject = 1.5 * 1024 * 1024;

/** Creates an object that has been normalised. `applied`: its managers are set already. Returns what was stored. */
export function create(kernel: Kernel, request: WriteRequest, object: ApiObject, applied = false): ApiObject {
  const { type } = request;
  const { metadata } = object;
  if (metadata.resourceVersion !== undefined && metadata.resourceVersion !== "") {
    throw serverFault("resourceVersion should not be set on objects to be created");
  }
  delete metadata.resourceVersion;
  placeInNamespace(request, object);
  const { made = {} } = request;
  if (!metadata.name && metadata.generateName) {
    made.name ??= generatedName(metadata.generateName);
    metadata.name = made.name;
  }
  if (type.namespaced && metadata.namespace !== undefined)
    requireNamespace(kernel, type, metadata.namespace, metadata.name ?? "");
  if (type.terminating === true) {
    throw forbidden(
      type,
      metadata.name ?? "",
      "create not allowed while custom resource definition is terminating",
    );
  }
  const now = kernel.clock.now();
  if (type.subresources.status) delete object.status;
  for (const field of ["deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"]) delete metadata[field];
  fillDefaults(request, object);
  if (!applied)
    trackUpdate(type, undefined, object, { fieldManager: request.fieldManager, time: timestamp(now) });
  delete metadata.uid;
  if (request.admit !== undefined) {
    request.admit(object, undefined);
    placeInNamespace(request, object);
    if (type.subresources.status) delete object.status;
  }
  made.uid ??= randomUUID();
  object.metadata.uid = made.uid;
  object.metadata.creationTimestamp = timestamp(now);
  if (type.generation) object.metadata.generation = 1;
  else delete object.metadata.generation;
  type.strategy?.prepareForCreate?.(object, { now, user: request.user });
  const admission = admissionOf(type);
  admission?.fill(kernel, object);
  requireValid(request, object, undefined);
  admission?.judge?.(kernel, object);
  if (
    object.metadata.name !== undefined &&
    load(kernel, type, object.metadata.namespace, object.metadata.name) !== undefined
  ) {
    throw alreadyExists(type, object.metadata.name);
  }
  requireFits(object);
  return request.dryRun ? object : save(kernel, type, object);
}

/** The namespace of the path counts; the body may repeat it. */
export function placeInNamespace({ type, namespace }: WriteRequest, { metadata }: ApiObject): void {
  if (!type.namespaced) {
    if (metadata.namespace) throw badRequest("namespace is not allowed on this type");
    delete metadata.namespace;
  } else if (metadata.namespace === undefined || metadata.namespace === "") metadata.namespace = namespace;
  else if (metadata.namespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

/** Refuses an object that etcd would not store, in its words. */
export function requireFits(object: ApiObject): void {
  // Counting characters first is cheap, and a character has at least one byte.
  const text = JSON.stringify(object);
  if (text.length * 3 > largestObject && Buffer.byteLength(text) > largestObject) {
    throw new ApiError(500, undefined, "etcdserver: request is too large");
  }
}
