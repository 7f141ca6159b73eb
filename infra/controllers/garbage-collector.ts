import type { Clock } from "../../shared/clock/clock.ts";
import { WorkQueue } from "../../shared/kube/client/work-queue.ts";
import type { DeleteOptions, KubeClient } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { type KubeObject, type OwnerReference, parseApiVersion } from "../../shared/kube/object.ts";
import type { Log } from "../../shared/log/log.ts";
import type { Node, ObjectGraph } from "./object-graph.ts";

const FIELD_MANAGER = "reveille-garbage-collector";
const FOREGROUND = "foregroundDeletion";
const ORPHAN = "orphan";
/** Uids that were seen to be gone; a uid never comes back. */
const REMEMBERED_ABSENT = 10_000;

type OwnerState = "solid" | "absent" | "waiting" | "unknown";

/**
 * Deletes what has lost all its owners, holds owners that are deleted in the foreground until their dependents are gone,
 * and releases the dependents of orphaning owners. Rules: kubernetes.io, "Garbage Collection".
 */
export class GarbageCollector {
  readonly #client: KubeClient;
  readonly #graph: ObjectGraph;
  readonly #queue: WorkQueue;
  readonly #log: Log;
  readonly #absent = new Set<string>();
  /** Dependents whose owner is of a kind that the server does not know (yet). */
  readonly #unresolved = new Set<string>();

  constructor({
    client,
    graph,
    clock,
    log,
  }: { readonly client: KubeClient; readonly graph: ObjectGraph; readonly clock: Clock; readonly log: Log }) {
    this.#client = client;
    this.#graph = graph;
    this.#log = log;
    this.#queue = new WorkQueue({ clock, log, work: (uid) => this.#collect(uid) });
    graph.listen({
      changed: (now, before) => this.#changed(now, before),
      deleted: (before) => this.#deleted(before),
      kindsChanged: () => this.#kindsChanged(),
    });
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  stop(): Promise<void> {
    return this.#queue.stop();
  }

  #changed(now: Node, before: Node | undefined): void {
    if (now.owners.length > 0 || now.deleting) this.#queue.add(now.uid);
    const began = waitsForDependents(now) && (before === undefined || !waitsForDependents(before));
    if (began) for (const dependent of this.#graph.dependents(now.uid)) this.#queue.add(dependent.uid);
    // A reference that was dropped, or no longer blocks, may free an owner.
    for (const { uid } of before?.owners ?? []) this.#addWaiting(uid);
  }

  #deleted(before: Node): void {
    this.#remember(before.uid);
    for (const dependent of this.#graph.dependents(before.uid)) this.#queue.add(dependent.uid);
    for (const { uid } of before.owners) this.#addWaiting(uid);
  }

  #kindsChanged(): void {
    for (const uid of this.#unresolved) this.#queue.add(uid);
    this.#unresolved.clear();
  }

  #addWaiting(uid: string): void {
    const owner = this.#graph.get(uid);
    if (owner !== undefined && waitsForDependents(owner)) this.#queue.add(uid);
  }

  async #collect(uid: string): Promise<void> {
    const node = this.#graph.get(uid);
    if (node === undefined) return;
    if (node.deleting) {
      // Who the dependents are is only known when every kind has been listed.
      if (node.finalizers.includes(ORPHAN)) {
        await this.#graph.synced();
        await this.#orphan(node);
      } else if (node.finalizers.includes(FOREGROUND)) {
        await this.#graph.synced();
        await this.#finishForeground(node);
      }
      return;
    }
    if (node.owners.length > 0) await this.#collectDependent(node);
  }

  async #collectDependent(node: Node): Promise<void> {
    const states = new Map<OwnerState, OwnerReference[]>();
    for (const owner of node.owners) {
      const state = await this.#stateOf(owner, node);
      states.set(state, [...(states.get(state) ?? []), owner]);
    }
    const none: OwnerReference[] = [];
    const { absent = none, waiting = none, solid = none, unknown = none } = Object.fromEntries(states);
    if (unknown.length > 0) {
      this.#unresolved.add(node.uid);
      return;
    }
    if (solid.length > 0) {
      const lost = [...absent, ...waiting];
      if (lost.length > 0) await this.#dropOwners(node, new Set(lost.map(({ uid }) => uid)));
      return;
    }
    const hasDependents = !this.#graph.dependents(node.uid).next().done;
    if (waiting.length > 0 && hasDependents) return this.#delete(node, "Foreground");
    const policy = node.finalizers.includes(ORPHAN)
      ? "Orphan"
      : node.finalizers.includes(FOREGROUND)
        ? "Foreground"
        : "Background";
    await this.#delete(node, policy);
  }

  async #stateOf(owner: OwnerReference, dependent: Node): Promise<OwnerState> {
    const { group, version } = parseApiVersion(owner.apiVersion);
    const resource = this.#graph.resource(group, owner.kind);
    // Before what is known of the uid: an owner that went is no reason either.
    if (resource?.scope === "Namespaced" && dependent.namespace === undefined) {
      this.#log.warn(
        { dependent: dependent.name, owner: owner.name },
        "a cluster-scoped object names an owner with a namespace: it is never collected",
      );
      return "solid";
    }
    if (this.#absent.has(owner.uid)) return "absent";
    const known = this.#graph.get(owner.uid);
    if (
      known !== undefined &&
      known.resource.kind === owner.kind &&
      known.resource.group === group &&
      known.name === owner.name
    ) {
      if (known.namespace === undefined || known.namespace === dependent.namespace)
        return waitsForDependents(known) ? "waiting" : "solid";
    }
    if (resource === undefined) return "unknown";
    const place = {
      namespace: resource.scope === "Namespaced" ? dependent.namespace : undefined,
      name: owner.name,
    };
    const found = await this.#client
      .get({ ...resource, version }, place, { metadataOnly: true })
      .catch((error: unknown) => {
        // A version that the server does not serve: as good as no such kind.
        if (error instanceof KubeError && error.kind === "kindMissing") return "unknown" as const;
        throw error;
      });
    if (found === "unknown") return found;
    if (found?.metadata.uid === owner.uid)
      return found.metadata.deletionTimestamp !== undefined && found.metadata.finalizers?.includes(FOREGROUND)
        ? "waiting"
        : "solid";
    if (known === undefined) this.#remember(owner.uid);
    return "absent";
  }

  async #finishForeground(owner: Node): Promise<void> {
    const blocking = [...this.#graph.dependents(owner.uid)].filter(({ owners }) =>
      owners.some(({ uid, blockOwnerDeletion }) => uid === owner.uid && blockOwnerDeletion === true),
    );
    if (blocking.length === 0) await this.#dropFinalizer(owner, FOREGROUND);
  }

  async #orphan(owner: Node): Promise<void> {
    await Promise.all(
      [...this.#graph.dependents(owner.uid)].map((dependent) =>
        this.#dropOwners(dependent, new Set([owner.uid])),
      ),
    );
    await this.#dropFinalizer(owner, ORPHAN);
  }

  #dropOwners(node: Node, lost: ReadonlySet<string>): Promise<void> {
    return this.#rewrite(node, "ownerReferences", ({ metadata }) =>
      (metadata.ownerReferences ?? []).filter(({ uid }) => !lost.has(uid)),
    );
  }

  #dropFinalizer(node: Node, finalizer: string): Promise<void> {
    return this.#rewrite(node, "finalizers", ({ metadata }) =>
      (metadata.finalizers ?? []).filter((other) => other !== finalizer),
    );
  }

  /** Reads, and writes a list of the metadata only where it differs, on exactly what was read. */
  async #rewrite(
    node: Node,
    field: "ownerReferences" | "finalizers",
    wanted: (live: KubeObject) => readonly unknown[],
  ): Promise<void> {
    const place = { namespace: node.namespace, name: node.name };
    const live = await this.#client.get(node.resource, place, { metadataOnly: true });
    if (live === undefined || live.metadata.uid !== node.uid) return;
    const list = wanted(live);
    if (list.length === (live.metadata[field] ?? []).length) return;
    const patch = [
      { op: "test", path: "/metadata/uid", value: node.uid },
      { op: "test", path: "/metadata/resourceVersion", value: live.metadata.resourceVersion },
      list.length === 0
        ? { op: "remove", path: `/metadata/${field}` }
        : { op: "replace", path: `/metadata/${field}`, value: list },
    ];
    await this.#client
      .patch(node.resource, place, "json", patch, { fieldManager: FIELD_MANAGER })
      .catch((error: unknown) => {
        if (!(error instanceof KubeError && (error.kind === "missing" || error.kind === "gone"))) throw error;
      });
  }

  async #delete(
    node: Node,
    propagationPolicy: NonNullable<DeleteOptions["propagationPolicy"]>,
  ): Promise<void> {
    await this.#client.delete(
      node.resource,
      { namespace: node.namespace, name: node.name },
      { uid: node.uid, propagationPolicy },
    );
    this.#log.debug({ kind: node.resource.kind, namespace: node.namespace, name: node.name }, "collected");
  }

  #remember(uid: string): void {
    this.#absent.add(uid);
    if (this.#absent.size <= REMEMBERED_ABSENT) return;
    const [oldest] = this.#absent;
    if (oldest !== undefined) this.#absent.delete(oldest);
  }
}

const waitsForDependents = ({ deleting, finalizers }: Node): boolean =>
  deleting && finalizers.includes(FOREGROUND);
