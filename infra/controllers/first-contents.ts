import type { Clock } from "../../shared/clock/clock.ts";
import { WorkQueue } from "../../shared/kube/client/work-queue.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import type { Log } from "../../shared/log/log.ts";
import type { Node, ObjectGraph } from "./object-graph.ts";

const FIELD_MANAGER = "reveille-namespace-controller";
const core = (kind: string, plural: string, scope: Resource["scope"] = "Namespaced"): Resource => ({
  group: "",
  version: "v1",
  kind,
  plural,
  scope,
});
const NAMESPACES = core("Namespace", "namespaces", "Cluster");
const ACCOUNTS = core("ServiceAccount", "serviceaccounts");
const CONFIG_MAPS = core("ConfigMap", "configmaps");
const ACCOUNT = "default";
const ROOT = "kube-root-ca.crt";
const DESCRIPTION =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/** Keeps in each namespace what a cluster has there: the ServiceAccount `default` and the authority in `kube-root-ca.crt`. */
export class FirstContents {
  readonly #client: KubeClient;
  readonly #queue: WorkQueue;
  readonly #certificate: string;

  constructor({
    client,
    graph,
    clock,
    log,
    certificate,
  }: {
    readonly client: KubeClient;
    readonly graph: ObjectGraph;
    readonly clock: Clock;
    readonly log: Log;
    /** PEM of the API server's authority. */
    readonly certificate: string;
  }) {
    this.#client = client;
    this.#certificate = certificate;
    this.#queue = new WorkQueue({ clock, log, work: (name) => this.#fill(name), concurrency: 2 });
    graph.listen({
      changed: (now) => {
        if (is(now, NAMESPACES) && !now.deleting) this.#queue.add(now.name);
        else if (is(now, CONFIG_MAPS) && now.name === ROOT) this.#again(now);
      },
      deleted: (before) => {
        if (is(before, CONFIG_MAPS) && before.name === ROOT) this.#again(before);
        else if (is(before, ACCOUNTS) && before.name === ACCOUNT) this.#again(before);
      },
      kindsChanged: () => undefined,
    });
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  stop(): Promise<void> {
    return this.#queue.stop();
  }

  #again({ namespace }: Node): void {
    if (namespace !== undefined) this.#queue.add(namespace);
  }

  async #fill(namespace: string): Promise<void> {
    const home = await this.#client.get(NAMESPACES, { name: namespace });
    if (home === undefined || home.metadata.deletionTimestamp !== undefined) return;
    const account = { namespace, name: ACCOUNT };
    if ((await this.#client.get(ACCOUNTS, account)) === undefined)
      await this.#create(ACCOUNTS, { apiVersion: "v1", kind: "ServiceAccount", metadata: account });
    const root = { namespace, name: ROOT };
    const found = await this.#client.get(CONFIG_MAPS, root);
    const data = { "ca.crt": this.#certificate };
    if (found === undefined)
      await this.#create(CONFIG_MAPS, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { ...root, annotations: { "kubernetes.io/description": DESCRIPTION } },
        data,
      });
    else if (JSON.stringify(found.data) !== JSON.stringify(data))
      await this.#client.patch(
        CONFIG_MAPS,
        root,
        "merge",
        {
          metadata: { resourceVersion: found.metadata.resourceVersion },
          data: { ...gone(found.data), ...data },
        },
        { fieldManager: FIELD_MANAGER },
      );
  }

  /** Somebody else may have been first, or the namespace may be going. */
  async #create(resource: Resource, object: KubeObject): Promise<void> {
    try {
      await this.#client.create(resource, object, { fieldManager: FIELD_MANAGER });
    } catch (error) {
      if (!(error instanceof KubeError && (error.kind === "exists" || error.kind === "terminating")))
        throw error;
    }
  }
}

const is = ({ resource }: Node, { group, kind }: Resource): boolean =>
  resource.group === group && resource.kind === kind;

/** A merge patch that takes out every key. */
const gone = (data: unknown): Record<string, null> =>
  Object.fromEntries(
    Object.keys(typeof data === "object" && data !== null ? data : {}).map((key) => [key, null]),
  );
