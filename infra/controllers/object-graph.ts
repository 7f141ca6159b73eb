import type { Clock } from "../../shared/clock/clock.ts";
import { Reflector } from "../../shared/kube/client/reflector.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import type { KubeObject, OwnerReference } from "../../shared/kube/object.ts";
import type { Log } from "../../shared/log/log.ts";
import { kindKey, resourceOfDefinition, type StoredKind, storedKinds } from "./discovery.ts";

/** The controllers' knowledge of an object. */
export interface Node {
  readonly resource: Resource;
  readonly uid: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly deleting: boolean;
}

export interface GraphListener {
  changed(now: Node, before: Node | undefined): void;
  deleted(before: Node): void;
  /** A CRD brought a kind, or took one away. */
  kindsChanged(): void;
}

const DEFINITIONS: Resource = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
};

/** Objects that own nothing and that nothing owns, and that come in crowds. */
const isEvent = ({ kind, group }: Resource): boolean =>
  kind === "Event" && (group === "" || group === "events.k8s.io");

/** All objects of all kinds, those of new CRDs included, and who owns whom. */
export class ObjectGraph {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listeners: GraphListener[] = [];
  readonly #reflectors = new Map<string, Reflector<Node>>();
  readonly #builtIn = new Map<string, StoredKind>();
  readonly #definitionOf = new Map<string, Resource>();
  readonly #nodes = new Map<string, Node>();
  readonly #dependents = new Map<string, Set<string>>();
  #stopped = false;

  constructor({
    client,
    clock,
    log,
  }: { readonly client: KubeClient; readonly clock: Clock; readonly log: Log }) {
    this.#client = client;
    this.#clock = clock;
    this.#log = log;
  }

  listen(listener: GraphListener): void {
    this.#listeners.push(listener);
  }

  /** Resolves when the kinds are known and their lists are on the way. */
  async start(): Promise<void> {
    const definitions = new Reflector<{ readonly uid: string; readonly resource: Resource | undefined }>({
      client: this.#client,
      resource: DEFINITIONS,
      clock: this.#clock,
      log: this.#log,
      keep: (object) => ({ uid: object.metadata.uid ?? "", resource: resourceOfDefinition(object) }),
      changed: ({ uid, resource }) => this.#define(uid, resource),
      deleted: ({ uid }) => this.#define(uid, undefined, true),
    });
    this.#stopDefinitions = () => definitions.stop();
    await definitions.synced;
    const defined = new Set([...this.#definitionOf.values()].map(kindKey));
    for (const stored of await storedKinds(this.#client)) {
      if (defined.has(kindKey(stored.resource))) continue;
      this.#builtIn.set(kindKey(stored.resource), stored);
      if (!isEvent(stored.resource) && stored.verbs.includes("watch")) this.#reflect(stored.resource);
    }
  }
  #stopDefinitions: () => Promise<void> = () => Promise.resolve();

  get(uid: string): Node | undefined {
    return this.#nodes.get(uid);
  }

  /** Objects that name `uid` as an owner. */
  *dependents(uid: string): Generator<Node, void, void> {
    for (const dependent of this.#dependents.get(uid) ?? []) {
      const node = this.#nodes.get(dependent);
      if (node !== undefined) yield node;
    }
  }

  *nodes(): Generator<Node, void, void> {
    yield* this.#nodes.values();
  }

  /** The resource of a kind, whatever its version; undefined where the server has no such kind. */
  resource(group: string, kind: string): Resource | undefined {
    const key = kindKey({ group, kind });
    return this.#reflectors.get(key)?.resource ?? this.#builtIn.get(key)?.resource;
  }

  /** Kinds with a namespace, Events included. */
  namespacedKinds(): readonly Resource[] {
    const all = [...this.#builtIn.values()]
      .map(({ resource }) => resource)
      .concat([...this.#definitionOf.values()]);
    return all.filter(({ scope }) => scope === "Namespaced");
  }

  /** Resolves when every kind has been listed once. */
  async synced(): Promise<void> {
    await Promise.all([...this.#reflectors.values()].map(({ synced }) => synced));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([
      this.#stopDefinitions(),
      ...[...this.#reflectors.values()].map((reflector) => reflector.stop()),
    ]);
  }

  /** `resource` is undefined for a definition that is not established (yet), `gone` says that it was deleted. */
  #define(uid: string, resource: Resource | undefined, gone = false): void {
    const before = this.#definitionOf.get(uid);
    if (gone) {
      if (before === undefined) return;
      this.#definitionOf.delete(uid);
      this.#unreflect(kindKey(before));
    } else {
      if (resource === undefined || before?.version === resource.version) return;
      this.#definitionOf.set(uid, resource);
      if (before === undefined) this.#reflect(resource);
      else this.#reflectAnew(resource);
    }
    for (const listener of this.#listeners) listener.kindsChanged();
  }

  #reflect(resource: Resource): Reflector<Node> | undefined {
    const key = kindKey(resource);
    if (this.#stopped || this.#reflectors.has(key)) return undefined;
    const reflector = new Reflector<Node>({
      client: this.#client,
      resource,
      metadataOnly: true,
      clock: this.#clock,
      log: this.#log,
      keep: (object) => nodeOf(object, resource),
      changed: (now) => this.#put(now),
      deleted: (before) => this.#drop(before),
    });
    this.#reflectors.set(key, reflector);
    return reflector;
  }

  /** The kind is served in another version: what was known stays so until that version has been listed. */
  #reflectAnew(resource: Resource): void {
    const key = kindKey(resource);
    const old = this.#reflectors.get(key);
    this.#reflectors.delete(key);
    const reflector = this.#reflect(resource);
    void old?.stop();
    void reflector?.synced.then(() => {
      for (const node of old?.values() ?? [])
        if (!this.#stopped && reflector.get(node.uid) === undefined) this.#drop(node);
    });
  }

  #unreflect(key: string): void {
    const reflector = this.#reflectors.get(key);
    if (reflector === undefined) return;
    this.#reflectors.delete(key);
    // With their definition all objects are gone, whether or not their events still come.
    for (const { uid } of [...reflector.values()]) reflector.forget(uid);
    void reflector.stop();
  }

  #put(now: Node): void {
    const before = this.#nodes.get(now.uid);
    for (const { uid } of before?.owners ?? []) this.#unlink(uid, now.uid);
    for (const { uid } of now.owners) {
      const dependents = this.#dependents.get(uid);
      if (dependents === undefined) this.#dependents.set(uid, new Set([now.uid]));
      else dependents.add(now.uid);
    }
    this.#nodes.set(now.uid, now);
    for (const listener of this.#listeners) listener.changed(now, before);
  }

  #drop({ uid: gone }: Node): void {
    const before = this.#nodes.get(gone);
    if (before === undefined) return;
    this.#nodes.delete(before.uid);
    for (const { uid } of before.owners) this.#unlink(uid, before.uid);
    for (const listener of this.#listeners) listener.deleted(before);
  }

  #unlink(owner: string, dependent: string): void {
    const dependents = this.#dependents.get(owner);
    dependents?.delete(dependent);
    if (dependents?.size === 0) this.#dependents.delete(owner);
  }
}

function nodeOf({ metadata }: KubeObject, resource: Resource): Node {
  return {
    resource,
    uid: metadata.uid ?? "",
    name: metadata.name,
    namespace: metadata.namespace,
    owners: metadata.ownerReferences ?? [],
    finalizers: metadata.finalizers ?? [],
    deleting: metadata.deletionTimestamp !== undefined,
  };
}
