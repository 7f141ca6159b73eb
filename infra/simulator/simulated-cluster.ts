import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import { Reflector } from "../../shared/kube/client/reflector.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import type { Log } from "../../shared/log/log.ts";
import { sameStatus } from "./conditions.ts";
import {
  controllerOf,
  KINDS,
  type ObjectOf,
  RESOURCES,
  type SimulatedKind,
  timeOf,
  uidOf,
} from "./objects.ts";
import { suffixOf } from "./template.ts";

const FIELD_MANAGER = "reveille-simulator";
const EVENTS: Resource = { group: "", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" };

export interface SimulatedClusterOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** An object came, changed (`before` is given) or went (`now` is not). */
  readonly seen: (
    kind: SimulatedKind,
    now: KubeObject | undefined,
    before: KubeObject | undefined,
    listed: boolean,
  ) => void;
}

/** The workloads and pods of the cluster as they are, and the only way to write them. Our own writes show at once. */
export class SimulatedCluster {
  readonly clock: Clock;
  readonly log: Log;
  readonly #client: KubeClient;
  #children = 0;
  readonly #reflectors = new Map<SimulatedKind, Reflector<KubeObject>>();
  /** Uid of a controller → what it owns. */
  readonly #owned = new Map<string, Map<string, KubeObject>>();

  constructor({ client, clock, log, seen }: SimulatedClusterOptions) {
    this.#client = client;
    this.clock = clock;
    this.log = log;
    for (const kind of KINDS)
      this.#reflectors.set(
        kind,
        new Reflector<KubeObject>({
          client,
          resource: RESOURCES[kind],
          clock,
          log,
          keep: withoutManagedFields,
          changed: (now, before, listed) => {
            this.#index(now, before);
            seen(kind, now, before, listed);
          },
          deleted: (before) => {
            this.#index(undefined, before);
            seen(kind, undefined, before, false);
          },
        }),
      );
  }

  async synced(): Promise<void> {
    await Promise.all([...this.#reflectors.values()].map(({ synced }) => synced));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#reflectors.values()].map((reflector) => reflector.stop()));
  }

  get<K extends SimulatedKind>(kind: K, uid: string): ObjectOf<K> | undefined {
    return this.#reflectors.get(kind)?.get(uid) as ObjectOf<K> | undefined;
  }

  *all<K extends SimulatedKind>(kind: K): Generator<ObjectOf<K>, void, void> {
    for (const object of this.#reflectors.get(kind)?.values() ?? []) yield object as ObjectOf<K>;
  }

  /** The objects that `owner` controls, oldest first. */
  ownedBy<K extends SimulatedKind>(owner: KubeObject, kind: K): ObjectOf<K>[] {
    const owned = [...(this.#owned.get(uidOf(owner))?.values() ?? [])].filter(
      (object) => object.kind === kind,
    );
    const key = ({ metadata }: KubeObject): string => `${metadata.creationTimestamp} ${metadata.name}`;
    return owned.sort((a, b) => (key(a) < key(b) ? -1 : 1)) as ObjectOf<K>[];
  }

  /** Five letters for the name of a new child of `owner`: no other child has them. */
  suffix(owner: KubeObject): string {
    return suffixOf(`${uidOf(owner)} ${this.clock.now()} ${this.#children++}`, 5);
  }

  /** Makes it; undefined where the name is taken, which our next look will show. */
  async create<K extends SimulatedKind>(kind: K, body: KubeObject): Promise<ObjectOf<K> | undefined> {
    try {
      const made = await this.#client.create(RESOURCES[kind], body, { fieldManager: FIELD_MANAGER });
      this.#observe(kind, made);
      return made as ObjectOf<K>;
    } catch (error) {
      if (error instanceof KubeError && error.kind === "exists") return undefined;
      throw error;
    }
  }

  /**
   * Writes the status, on the version that was read, only where it says something else, and with it `annotations`: the
   * API takes both of built-in workloads in one write that leaves the generation alone. True when it was written.
   */
  async setStatus<K extends SimulatedKind>(
    kind: K,
    object: ObjectOf<K>,
    status: NonNullable<ObjectOf<K>["status"]>,
    annotations: Readonly<Record<string, string>> = {},
  ): Promise<boolean> {
    const noted = Object.entries(annotations).every(
      ([name, value]) => object.metadata.annotations?.[name] === value,
    );
    if (noted && sameStatus(status, object.status)) return false;
    const metadata = {
      ...object.metadata,
      ...(noted ? {} : { annotations: { ...object.metadata.annotations, ...annotations } }),
    };
    const written = await this.#write(kind, () =>
      this.#client.replace(
        RESOURCES[kind],
        placeOf(object),
        { ...object, metadata, status },
        { fieldManager: FIELD_MANAGER, subresource: "status" },
      ),
    );
    if (noted || !written) return written;
    const live = this.get(kind, uidOf(object));
    // Servers that let a status write change nothing else need a second one.
    const missing = Object.entries(annotations).some(
      ([name, value]) => live?.metadata.annotations?.[name] !== value,
    );
    return live !== undefined && missing ? this.patch(kind, live, { metadata: { annotations } }) : true;
  }

  /** Merges `change` into the object, on the version that was read. */
  async patch(
    kind: SimulatedKind,
    object: KubeObject,
    change: { readonly metadata?: object; readonly spec?: object },
  ): Promise<boolean> {
    const metadata = {
      ...change.metadata,
      uid: object.metadata.uid,
      resourceVersion: object.metadata.resourceVersion,
    };
    return this.#write(kind, () =>
      this.#client.patch(
        RESOURCES[kind],
        placeOf(object),
        "merge",
        { ...change, metadata },
        { fieldManager: FIELD_MANAGER },
      ),
    );
  }

  /** Takes a finalizer off an object that is being deleted: it is gone where that was the last one. */
  async release(kind: SimulatedKind, object: KubeObject, finalizer: string): Promise<void> {
    const { uid, resourceVersion, finalizers = [] } = object.metadata;
    const left = finalizers.filter((one) => one !== finalizer);
    const metadata = { uid, resourceVersion, finalizers: left };
    const send = () =>
      this.#client.patch(
        RESOURCES[kind],
        placeOf(object),
        "merge",
        { metadata },
        { fieldManager: FIELD_MANAGER },
      );
    if (left.length > 0) await this.#write(kind, send);
    else {
      await send();
      this.#reflectors.get(kind)?.forget(uidOf(object));
    }
  }

  async delete(kind: SimulatedKind, object: KubeObject): Promise<void> {
    const left = await this.#client.delete(RESOURCES[kind], placeOf(object), {
      uid: object.metadata.uid,
      propagationPolicy: "Background",
    });
    if (left === undefined) this.#reflectors.get(kind)?.forget(uidOf(object));
    else this.#observe(kind, left);
  }

  /** All objects of a kind that is not watched, in one namespace. */
  async list(resource: Resource, namespace: string | undefined): Promise<KubeObject[]> {
    const found: KubeObject[] = [];
    for await (const page of this.#client.pages(resource, namespace === undefined ? {} : { namespace }))
      found.push(...page.items);
    return found;
  }

  /** Makes an object of a kind that is not watched; one that is there stays as it is. */
  async ensure(resource: Resource, body: KubeObject): Promise<void> {
    try {
      await this.#client.create(resource, body, { fieldManager: FIELD_MANAGER });
    } catch (error) {
      if (!(error instanceof KubeError && error.kind === "exists")) throw error;
    }
  }

  /** Merges `change` into an object of a kind that is not watched, on the version that was read. */
  async change(resource: Resource, object: KubeObject, change: object): Promise<void> {
    const { uid, resourceVersion } = object.metadata;
    const body = { ...change, metadata: { uid, resourceVersion } };
    await this.#client.patch(resource, placeOf(object), "merge", body, { fieldManager: FIELD_MANAGER });
  }

  /** Takes away an object of a kind that is not watched. */
  async remove(resource: Resource, object: KubeObject): Promise<void> {
    await this.#client.delete(resource, placeOf(object), {
      uid: object.metadata.uid,
      propagationPolicy: "Background",
    });
  }

  /** Tells people, as a Kubernetes Event; the same words about the same object are told once. */
  async tell(about: KubeObject, type: "Normal" | "Warning", reason: string, message: string): Promise<void> {
    const { name, namespace, uid, resourceVersion } = about.metadata;
    const time = timeOf(this.clock.now());
    const body = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: `${name}.${suffixOf(`${uid} ${reason} ${message}`, 16)}`, namespace },
      involvedObject: {
        apiVersion: about.apiVersion,
        kind: about.kind,
        name,
        namespace,
        uid,
        resourceVersion,
      },
      type,
      reason,
      message,
      count: 1,
      firstTimestamp: time,
      lastTimestamp: time,
      source: { component: FIELD_MANAGER },
      reportingComponent: FIELD_MANAGER,
    };
    try {
      await this.#client.create(EVENTS, body, { fieldManager: FIELD_MANAGER });
    } catch (error) {
      // Nothing depends on it; a terminating namespace takes none.
      this.log.debug({ reason, error: messageOf(error) }, "a Kubernetes Event could not be created");
    }
  }

  /** False where the object is gone: its event will follow. */
  async #write(kind: SimulatedKind, send: () => Promise<KubeObject>): Promise<boolean> {
    try {
      this.#observe(kind, await send());
      return true;
    } catch (error) {
      if (error instanceof KubeError && (error.kind === "missing" || error.kind === "gone")) return false;
      throw error;
    }
  }

  #observe(kind: SimulatedKind, object: KubeObject): void {
    this.#reflectors.get(kind)?.observe(object);
  }

  #index(now: KubeObject | undefined, before: KubeObject | undefined): void {
    const old = before && controllerOf(before)?.uid;
    const present = now && controllerOf(now)?.uid;
    if (before !== undefined && old !== undefined && old !== present) {
      const siblings = this.#owned.get(old);
      siblings?.delete(uidOf(before));
      if (siblings?.size === 0) this.#owned.delete(old);
    }
    if (now === undefined || present === undefined) return;
    const siblings = this.#owned.get(present);
    if (siblings === undefined) this.#owned.set(present, new Map([[uidOf(now), now]]));
    else siblings.set(uidOf(now), now);
  }
}

const placeOf = ({ metadata }: KubeObject) => ({ namespace: metadata.namespace, name: metadata.name });

function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
