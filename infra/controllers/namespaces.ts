import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import { WorkQueue } from "../../shared/kube/client/work-queue.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import type { Log } from "../../shared/log/log.ts";
import { type Condition, namespaceConditions, type Remainder } from "./namespace-conditions.ts";
import type { Node, ObjectGraph } from "./object-graph.ts";

const FIELD_MANAGER = "reveille-namespace-controller";
const FINALIZER = "kubernetes";
const NAMESPACES: Resource = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
};

interface NamespaceObject extends KubeObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Empties terminating namespaces of every kind that there is, then takes their finalizer `kubernetes` away. */
export class NamespaceController {
  readonly #client: KubeClient;
  readonly #graph: ObjectGraph;
  readonly #queue: WorkQueue;
  readonly #clock: Clock;
  readonly #terminating = new Set<string>();

  constructor({
    client,
    graph,
    clock,
    log,
  }: { readonly client: KubeClient; readonly graph: ObjectGraph; readonly clock: Clock; readonly log: Log }) {
    this.#client = client;
    this.#graph = graph;
    this.#clock = clock;
    this.#queue = new WorkQueue({ clock, log, work: (name) => this.#empty(name), concurrency: 2 });
    graph.listen({
      changed: (now) => this.#changed(now),
      deleted: (before) => this.#deleted(before),
      kindsChanged: () => {
        for (const name of this.#terminating) this.#queue.add(name);
      },
    });
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  stop(): Promise<void> {
    return this.#queue.stop();
  }

  #changed(now: Node): void {
    if (isNamespace(now) && now.deleting && !this.#terminating.has(now.name)) {
      this.#terminating.add(now.name);
      this.#queue.add(now.name);
    }
    // One that slipped in while the namespace was closing.
    if (now.namespace !== undefined && !now.deleting && this.#terminating.has(now.namespace))
      this.#queue.add(now.namespace);
  }

  #deleted(before: Node): void {
    if (isNamespace(before)) this.#terminating.delete(before.name);
    else if (before.namespace !== undefined && this.#terminating.has(before.namespace))
      this.#queue.add(before.namespace);
  }

  async #empty(name: string): Promise<void> {
    const namespace = (await this.#client.get(NAMESPACES, { name })) as NamespaceObject | undefined;
    if (
      namespace?.metadata.deletionTimestamp === undefined ||
      !namespace.spec?.finalizers?.includes(FINALIZER)
    )
      return;
    const remaining: Remainder[] = [];
    const failures: string[] = [];
    for (const resource of this.#graph.namespacedKinds()) {
      try {
        remaining.push(...(await this.#deleteAll(resource, name)));
      } catch (error) {
        // A kind that has just gone holds nothing.
        if (!(error instanceof KubeError && error.kind === "kindMissing"))
          failures.push(`${resource.plural}.${resource.group}: ${messageOf(error)}`);
      }
    }
    if (remaining.length === 0 && failures.length === 0) return this.#finalize(namespace);
    await this.#report(namespace, remaining, failures);
    if (failures.length > 0)
      throw new TypeError(`namespace ${name} cannot be emptied: ${failures.join("; ")}`);
  }

  /** Deletes what is there; gives what finalizers keep. */
  async #deleteAll(resource: Resource, namespace: string): Promise<readonly Remainder[]> {
    const kept: Remainder[] = [];
    for await (const page of this.#client.pages(resource, { namespace, metadataOnly: true })) {
      const left = await Promise.all(
        page.items.map(async ({ metadata }) => {
          if (metadata.deletionTimestamp !== undefined) return metadata;
          const answer = await this.#client.delete(
            resource,
            { namespace, name: metadata.name },
            { uid: metadata.uid },
          );
          return answer?.metadata;
        }),
      );
      for (const metadata of left)
        if (metadata !== undefined)
          kept.push({
            resource: `${resource.plural}.${resource.group}`,
            finalizers: metadata.finalizers ?? [],
          });
    }
    return kept;
  }

  async #report(
    namespace: NamespaceObject,
    remaining: readonly Remainder[],
    failures: readonly string[],
  ): Promise<void> {
    const before = namespace.status?.conditions ?? [];
    const conditions = namespaceConditions(remaining, failures, before, this.#clock.now());
    if (isDeepStrictEqual(conditions, before)) return;
    const body = {
      metadata: { resourceVersion: namespace.metadata.resourceVersion },
      status: { phase: "Terminating", conditions },
    };
    await this.#client.patch(NAMESPACES, { name: namespace.metadata.name }, "merge", body, {
      fieldManager: FIELD_MANAGER,
      subresource: "status",
    });
  }

  async #finalize(namespace: NamespaceObject): Promise<void> {
    const finalizers = (namespace.spec?.finalizers ?? []).filter((other) => other !== FINALIZER);
    const body = { ...namespace, spec: { ...namespace.spec, finalizers } };
    await this.#client.raw("PUT", `/api/v1/namespaces/${namespace.metadata.name}/finalize`, {
      body,
      contentType: "application/json",
    });
  }
}

const isNamespace = ({ resource }: Node): boolean => resource.kind === "Namespace" && resource.group === "";
