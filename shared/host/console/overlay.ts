import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import jsonPatch from "fast-json-patch";
import type { KubeClient, Place, Resource } from "../../kube/client.ts";
import type { KubeObject, ManagedFields } from "../../kube/object.ts";

/** A step of a JSON patch. */
export interface PatchStep {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** One object that a dry run would have written: as the server has it, and as it would be. */
export interface Touched {
  readonly resource: Resource;
  readonly place: Place;
  readonly base: KubeObject | undefined;
  now: KubeObject | undefined;
  /** Changes that no apply of ours owns; they are made again on what a later apply answers. */
  readonly patches: (readonly PatchStep[])[];
  /** True where the status was written: a later apply of the rest leaves it. */
  hasStatus: boolean;
}

/** The server's own finalizer of an object whose dependants go first. */
const FOREGROUND = "foregroundDeletion";

/** Far above what servers give, of equal length, rising. */
const FIRST_VERSION = 900_000_000_000_000_000n;

/** The writes of a dry run so far: they lie over the cluster, so that the run sees its own writes. */
export class Overlay {
  readonly #client: Pick<KubeClient, "get">;
  readonly #touched = new Map<string, Touched>();
  #version = FIRST_VERSION;

  constructor(client: Pick<KubeClient, "get">) {
    this.#client = client;
  }

  get touched(): readonly Touched[] {
    return [...this.#touched.values()];
  }

  find(resource: Resource, place: Place): Touched | undefined {
    return this.#touched.get(nameOf(resource, place));
  }

  async touch(resource: Resource, place: Place, signal: AbortSignal | undefined): Promise<Touched> {
    const known = this.find(resource, place);
    if (known !== undefined) return known;
    const base = await this.#client.get(resource, place, signal === undefined ? {} : { signal });
    const { namespace, name } = place;
    const touched: Touched = {
      resource,
      place: { namespace, name },
      base,
      now: base,
      patches: [],
      hasStatus: false,
    };
    this.#touched.set(nameOf(resource, place), touched);
    return touched;
  }

  /** Forgets the reads that are no longer true: the run decides again, on the present state. */
  forget(): void {
    this.#touched.clear();
  }

  /** Takes what the server answered to an apply of all but the status. */
  applied(touched: Touched, answer: KubeObject): KubeObject {
    const { now } = touched;
    let next = answer;
    if (now !== undefined) {
      const { uid, creationTimestamp } = now.metadata;
      next = { ...next, metadata: { ...next.metadata, uid, creationTimestamp } };
      if (touched.hasStatus) {
        const isStatus = ({ subresource }: ManagedFields): boolean => subresource === "status";
        const managedFields = [
          ...(next.metadata.managedFields ?? []).filter((entry) => !isStatus(entry)),
          ...(now.metadata.managedFields ?? []).filter(isStatus),
        ];
        next = { ...next, status: now.status, metadata: { ...next.metadata, managedFields } };
      }
    }
    for (const steps of touched.patches) next = patched(next, steps);
    return this.#keep(touched, next);
  }

  /** Takes what the server answered to an apply of the status. */
  appliedStatus(touched: Touched, answer: KubeObject): KubeObject {
    const over = touched.now ?? answer;
    touched.hasStatus = true;
    const managedFields = [
      ...(over.metadata.managedFields ?? []).filter(({ subresource }) => subresource !== "status"),
      ...(answer.metadata.managedFields ?? []).filter(({ subresource }) => subresource === "status"),
    ];
    return this.#keep(touched, {
      ...over,
      status: answer.status,
      metadata: { ...over.metadata, managedFields },
    });
  }

  /** Takes steps; `answer` where the server saw them, else they are made here. */
  patched(touched: Touched, steps: readonly PatchStep[], answer: KubeObject | undefined): KubeObject {
    const changes = steps.filter(({ op, path }) => op !== "test" && path !== "/metadata/resourceVersion");
    touched.patches.push(changes);
    const next = answer ?? patched(touched.now ?? emptyObject(touched), changes);
    return this.#keep(touched, next);
  }

  removed(touched: Touched, deletionTimestamp: string, foreground: boolean): KubeObject | undefined {
    const { now } = touched;
    if (now === undefined) return undefined;
    if (!foreground && (now.metadata.finalizers ?? []).length === 0) {
      touched.now = undefined;
      return undefined;
    }
    const { finalizers = [] } = now.metadata;
    const waits = foreground && !finalizers.includes(FOREGROUND) ? [...finalizers, FOREGROUND] : finalizers;
    return this.#keep(touched, {
      ...now,
      metadata: { ...now.metadata, deletionTimestamp, ...(waits.length > 0 && { finalizers: waits }) },
    });
  }

  #keep(touched: Touched, next: KubeObject): KubeObject {
    const { now } = touched;
    if (now !== undefined && isDeepStrictEqual(essence(now), essence(next))) return now;
    this.#version += 1n;
    const { uid = randomUUID() } = next.metadata;
    const generation = generationAfter(now, next);
    const object = {
      ...next,
      metadata: {
        ...next.metadata,
        uid,
        resourceVersion: String(this.#version),
        ...(generation !== undefined && { generation }),
      },
    };
    const isGone =
      next.metadata.deletionTimestamp !== undefined && (next.metadata.finalizers ?? []).length === 0;
    touched.now = isGone ? undefined : object;
    return object;
  }
}

export const nameOf = ({ group, kind }: Resource, { namespace, name }: Place): string =>
  `${group}/${kind}/${namespace ?? ""}/${name}`;

const emptyObject = ({ resource, place }: Touched): KubeObject => ({
  apiVersion: resource.group === "" ? resource.version : `${resource.group}/${resource.version}`,
  kind: resource.kind,
  metadata: { ...place },
});

const patched = (object: KubeObject, steps: readonly PatchStep[]): KubeObject =>
  jsonPatch.applyPatch(object, steps as jsonPatch.Operation[], false, false).newDocument;

/**
 * The generation that the server would give after a change. It compares with what it has, not with what this run has written:
 * its own number falls behind from the second change on.
 */
function generationAfter(now: KubeObject | undefined, { metadata, ...next }: KubeObject): number | undefined {
  const before = now?.metadata.generation;
  if (now === undefined || before === undefined) return metadata.generation;
  const isBegun = metadata.deletionTimestamp !== undefined && now.metadata.deletionTimestamp === undefined;
  return isBegun || !isDeepStrictEqual(desired(now), desired({ metadata, ...next })) ? before + 1 : before;
}

/** The part of an object whose change is a generation: all that its owner asks for. */
const desired = ({ metadata, status, ...rest }: KubeObject): unknown =>
  JSON.parse(JSON.stringify(rest)) as unknown;

/** The part of an object that counts as a change; the server's own times and numbers do not. */
const essence = ({ metadata, ...rest }: KubeObject): unknown => {
  const { resourceVersion, generation, managedFields, ...kept } = metadata;
  const owned = managedFields?.map(({ time, ...entry }) => entry);
  return JSON.parse(JSON.stringify({ ...rest, metadata: kept, owned })) as unknown;
};
