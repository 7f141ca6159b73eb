import { Widget } from "../../examples/widget/widget.ts";
import { ClusterPlatform, Platform, Workflow } from "../../functions/sonataflow/index.ts";
import type { KubeClient, Place, Resource } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { type Kind, resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap, Deployment, Namespace } from "../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";

const HUB = { namespace: "soak-hub", name: "hub" };
/** The field that stays: where an apply takes the last field of a spec away, the server makes null of the spec and refuses it. */
const KEPT = { properties: { flow: [{ name: "quarkus.log.level", value: "INFO" }] } };
const user = { fieldManager: "soak" };
const WIDGETS = 10;
const WORKFLOWS = 2;

/** The changes that the load made. */
export interface Sent {
  changes: number;
  /** Refused because the API server was away, or because another change was faster. */
  refused: number;
}

/** The edits of many users in some namespaces: what a seed decides. */
export class Load {
  readonly sent: Sent = { changes: 0, refused: 0 };
  readonly #client: KubeClient;
  readonly #random: () => number;
  readonly #namespaces: readonly string[];
  #value = 1;

  constructor(client: KubeClient, random: () => number, namespaces: number) {
    this.#client = client;
    this.#random = random;
    this.#namespaces = Array.from({ length: namespaces }, (_, index) => `soak-${index}`);
  }

  /** Makes everything that is edited afterwards. */
  async prepare(): Promise<void> {
    for (const name of [HUB.namespace, ...this.#namespaces])
      await this.#client.create(
        resourceOf(Namespace),
        { apiVersion: "v1", kind: "Namespace", metadata: { name } },
        user,
      );
    await this.#put(Platform, HUB, { spec: { services: { dataIndex: {}, jobService: {} } } });
    await this.#putCluster();
    for (const namespace of this.#namespaces) {
      await this.#put(Platform, { namespace, name: "team" }, { spec: KEPT });
      for (let index = 0; index < WORKFLOWS; index++) await this.#putWorkflow(namespace, index);
      for (let index = 0; index < WIDGETS; index++) await this.#putWidget(namespace, index);
    }
  }

  /** One change. What the server refuses for want of the object, or because it is away, is counted and left. */
  async change(): Promise<void> {
    try {
      await this.#change();
      this.sent.changes += 1;
    } catch (error) {
      if (!(error instanceof KubeError) || !(error.retryable || PASSING.has(error.kind))) throw error;
      this.sent.refused += 1;
    }
  }

  async #change(): Promise<void> {
    const dice = this.#random();
    const namespace = this.#pick(this.#namespaces);
    const widget = Math.floor(this.#random() * WIDGETS);
    const child = { namespace, name: `widget-${widget}-config` };
    if (dice < 0.6) return this.#putWidget(namespace, widget);
    if (dice < 0.65) {
      await this.#remove(resourceOf(Widget), { namespace, name: `widget-${widget}` });
      return this.#putWidget(namespace, widget);
    }
    if (dice < 0.7) return this.#remove(resourceOf(ConfigMap), child);
    if (dice < 0.75)
      return void (await this.#client.patch(
        resourceOf(ConfigMap),
        child,
        "merge",
        { data: { message: "spoiled" } },
        user,
      ));
    if (dice < 0.85) return this.#putWorkflow(namespace, Math.floor(this.#random() * WORKFLOWS));
    if (dice < 0.9)
      return this.#put(
        Platform,
        { namespace, name: "team" },
        { spec: { ...KEPT, ...(this.#random() < 0.5 && { services: {} }) } },
      );
    if (dice < 0.93)
      return this.#put(Platform, HUB, {
        spec: { services: { dataIndex: {}, ...(this.#random() < 0.5 && { jobService: {} }) } },
      });
    if (dice < 0.95) {
      await this.#remove(resourceOf(ClusterPlatform), { name: "shared" });
      return this.#putCluster();
    }
    const workflow = `flow-${Math.floor(this.#random() * WORKFLOWS)}`;
    return this.#remove(resourceOf(Deployment), { namespace, name: workflow });
  }

  #pick(from: readonly string[]): string {
    return from[Math.floor(this.#random() * from.length)] ?? "";
  }

  #putCluster(): Promise<void> {
    return this.#put(ClusterPlatform, { name: "shared" }, { spec: { platformRef: HUB } });
  }

  #putWidget(namespace: string, index: number): Promise<void> {
    const value = this.#value++;
    return this.#put(
      Widget,
      { namespace, name: `widget-${index}` },
      { spec: { value, message: `message ${value}` } },
    );
  }

  #putWorkflow(namespace: string, index: number): Promise<void> {
    const image = `registry.example/flow:${this.#value++}`;
    return this.#put(
      Workflow,
      { namespace, name: `flow-${index}` },
      {
        metadata: { annotations: { "sonataflow.org/profile": "gitops", "sonataflow.org/version": "1.0.0" } },
        spec: {
          podTemplate: { container: { image } },
          flow: {
            start: "Hello",
            states: [{ name: "Hello", type: "inject", data: { hello: "soak" }, end: true }],
          },
        },
      },
    );
  }

  async #put(
    kind: Kind,
    place: Place,
    { metadata, ...fields }: { readonly metadata?: object; readonly spec: object },
  ): Promise<void> {
    const body: KubeObject = {
      apiVersion: `${kind.group}/${kind.version}`,
      kind: kind.kind,
      metadata: { ...place, ...metadata },
      ...fields,
    };
    await this.#client.apply(resourceOf(kind), place, body, { ...user, force: true });
  }

  async #remove(resource: Resource, place: Place): Promise<void> {
    await this.#client.delete(resource, place, { uid: undefined });
  }
}

/** The errors that pass, where several change the same things. */
const PASSING: ReadonlySet<string> = new Set(["stale", "exists", "gone", "missing", "conflict"]);
