import type { Clock } from "../../shared/clock/clock.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import type { Log } from "../../shared/log/log.ts";
import type { Caller } from "./admission/call.ts";
import type { Hooks } from "./admission/hooks.ts";
import type { Catalogue } from "./registry.ts";
import type { ApiObject, ApiUser, ResourceType } from "./resource-type.ts";
import { keyOf, type Store } from "./store/store.ts";
import type { Hub } from "./watch/hub.ts";

/** The parts that every request works on. */
export interface Kernel {
  readonly store: Store;
  readonly registry: Catalogue;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly log: Log;
  /** The webhooks that are kept, and how they are called. Absent: they are kept alone. */
  readonly webhooks?: { readonly hooks: Hooks; readonly caller: Caller } | undefined;
}

/** The parts that all writes of one request share. */
export interface WriteRequest {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly subresource: string | undefined;
  readonly fieldManager: string;
  readonly fieldValidation: "Strict" | "Warn" | "Ignore";
  readonly dryRun: boolean;
  readonly user: ApiUser;
  /** Become `Warning` headers. */
  readonly warnings: string[];
  /** Shown the object of the write before it is validated, and the live one; may change the first in place, or throw. */
  readonly admit?: ((candidate: ApiObject, live: ApiObject | undefined) => void) | undefined;
  /** The identity of the object that is created, where the write is run more than once. */
  readonly made?: { name?: string; uid?: string } | undefined;
}

/** `group/plural` under which objects of a type are kept. */
export const storedUnder = (type: ResourceType): string =>
  type.storedAs === undefined
    ? `${type.group}/${type.plural}`
    : `${type.storedAs.group}/${type.storedAs.plural}`;

export const apiVersionOfType = (type: ResourceType): string =>
  type.group === "" ? type.version : `${type.group}/${type.version}`;

/** RFC 3339 in seconds, as metadata carries it. */
export const timestamp = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** The stored spelling of an object, with apiVersion, kind and metadata in front. */
function textOf(type: ResourceType, object: KubeObject, version: string): string {
  const stored = type.storedAs === undefined ? object : type.storedAs.write(object);
  const { apiVersion, kind, metadata, ...rest } = stored;
  return JSON.stringify({ apiVersion, kind, metadata: { ...metadata, resourceVersion: version }, ...rest });
}

/** The JSON that a type shows of a stored text: the same bytes, unless another version or spelling is asked for. */
export function spelled(type: ResourceType, text: string): string {
  if (type.storedAs !== undefined) return JSON.stringify(type.storedAs.read(JSON.parse(text) as KubeObject));
  const start = `{"apiVersion":"${apiVersionOfType(type)}",`;
  return text.startsWith(start) ? text : start + text.slice(text.indexOf(",") + 1);
}

/** A private copy of an object as a type shows it. */
const parsed = (type: ResourceType, text: string): ApiObject => JSON.parse(spelled(type, text)) as ApiObject;

export function load(
  kernel: Kernel,
  type: ResourceType,
  namespace: string | undefined,
  name: string,
): ApiObject | undefined {
  const text = kernel.store.get(storedUnder(type), keyOf(type.namespaced ? namespace : undefined, name));
  return text === undefined ? undefined : parsed(type, text);
}

/** Empty labels and the like are never stored. */
export function dropEmptyMetadata(metadata: ApiObject["metadata"]): void {
  for (const field of ["labels", "annotations", "finalizers", "ownerReferences"] as const) {
    const value = metadata[field];
    if (value !== undefined && Object.keys(value).length === 0) delete metadata[field];
  }
}

/**
 * Stores an object. A custom resource loses what is empty in its metadata only here, after it was compared with the live
 * one: that is why applying `labels: {}` to one is a change each time, as on the real server. The object gets its new
 * resourceVersion in place.
 */
export function save(kernel: Kernel, type: ResourceType, object: ApiObject): ApiObject {
  dropEmptyMetadata(object.metadata);
  kernel.store.put(
    storedUnder(type),
    keyOf(type.namespaced ? object.metadata.namespace : undefined, object.metadata.name),
    (version) => {
      object.metadata.resourceVersion = version;
      return textOf(type, object, version);
    },
  );
  return object;
}

/** Takes an object out; watchers get its last state with the version of the deletion. */
export function erase(kernel: Kernel, type: ResourceType, last: KubeObject): void {
  const key = keyOf(type.namespaced ? last.metadata.namespace : undefined, last.metadata.name);
  kernel.store.remove(storedUnder(type), key, (version) => textOf(type, last, version));
}
