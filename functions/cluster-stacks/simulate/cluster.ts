import type { SimulationTools } from "../../../shared/function/simulation.ts";
import { fieldOf, fieldsOf, textOf } from "../../../shared/json/fields.ts";
import { sameJson } from "../../../shared/json/same-json.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { conditionsAfter, no, type Wanted, yes } from "./conditions.ts";
import { ExtensionError, type Extensions } from "./extensions.ts";
import { type Made, makeOf, removeMade } from "./made.ts";
import { CLUSTER_CLASSES, CLUSTERS, PLAYER } from "./resources.ts";

const FINALIZER = "cluster.cluster.x-k8s.io";
/** Cluster API's own annotation: the hooks that are still to be called, though nobody is held up by them. */
const PENDING = "runtime.cluster.x-k8s.io/pending-hooks";
const AFTER_START = "AfterControlPlaneInitialized";
const AFTER_CONTROL_PLANE = "AfterControlPlaneUpgrade";
const AFTER_UPGRADE = "AfterClusterUpgrade";

/** The place of a Cluster. */
export interface At {
  readonly namespace: string;
  readonly name: string;
}

/** The findings of one look at a Cluster: its conditions, and when to look again. */
interface Findings {
  readonly conditions: readonly Wanted[];
  readonly phase: "Pending" | "Provisioning" | "Provisioned";
  readonly again?: number;
}

/**
 * Plays Cluster API for one Cluster at a time: makes its infrastructure and its control plane from the templates of its class, is content
 * with the API server whose kubeconfig lies beside it, asks hooks, and rolls a version only when they let it.
 */
export class ClusterPlayer {
  readonly #tools: Pick<SimulationTools, "client" | "clock">;
  readonly #extensions: Pick<Extensions, "ask">;
  readonly #delay: number;
  readonly #begun = new Map<string, number>();

  constructor(
    tools: Pick<SimulationTools, "client" | "clock">,
    extensions: Pick<Extensions, "ask">,
    delayMilliseconds: number,
  ) {
    this.#tools = tools;
    this.#extensions = extensions;
    this.#delay = delayMilliseconds;
  }

  /** Looks at a Cluster; resolves with the time at which to look again, if any. */
  async play(at: At): Promise<number | undefined> {
    const cluster = await this.#tools.client.get(CLUSTERS, at);
    if (cluster === undefined || isPaused(cluster)) return undefined;
    if (cluster.metadata.deletionTimestamp !== undefined) return this.#remove(cluster, at);
    if (classOf(cluster, at) === undefined) return undefined;
    const taken = await this.#take(cluster, at);
    try {
      const found = await this.#advance(taken, at);
      await this.#tell(at, found);
      return found.again;
    } catch (error) {
      if (!(error instanceof ExtensionError)) throw error;
      await this.#tell(at, heldUp("TopologyReconcileFailed", error.message));
      throw error;
    }
  }

  /** The finalizer, and the hook that a new Cluster is owed. */
  async #take(cluster: KubeObject, at: At): Promise<KubeObject> {
    const { finalizers = [] } = cluster.metadata;
    if (finalizers.includes(FINALIZER)) return cluster;
    const metadata = {
      resourceVersion: cluster.metadata.resourceVersion,
      finalizers: [...finalizers, FINALIZER],
      annotations: { [PENDING]: AFTER_START },
    };
    return this.#tools.client.patch(CLUSTERS, at, "merge", { metadata }, { fieldManager: PLAYER });
  }

  async #advance(cluster: KubeObject, at: At): Promise<Findings> {
    const { client } = this.#tools;
    const place = classOf(cluster, at) ?? { namespace: "", name: "" };
    const found = await client.get(CLUSTER_CLASSES, place);
    const wants = textOf(fieldOf(fieldOf(cluster.spec, "topology"), "version"));
    if (found === undefined || wants === "") {
      const message =
        found === undefined
          ? `ClusterClass ${place.namespace}/${place.name} is not there`
          : "spec.topology.version is missing";
      return { phase: "Pending", conditions: [no("TopologyReconciled", "TopologyReconcileFailed", message)] };
    }
    const infrastructure = await makeOf(
      client,
      cluster,
      fieldOf(fieldOf(found.spec, "infrastructure"), "ref"),
    );
    const controlPlane = await makeOf(
      client,
      cluster,
      fieldOf(fieldOf(found.spec, "controlPlane"), "ref"),
      wants,
    );
    if (infrastructure === undefined || controlPlane === undefined) {
      const message = `ClusterClass ${place.name} names no template of its infrastructure and of its control plane that is there`;
      return { phase: "Pending", conditions: [no("TopologyReconciled", "TopologyReconcileFailed", message)] };
    }
    await this.#refer(cluster, at, infrastructure, controlPlane);
    const ready = this.#moment(`${cluster.metadata.uid} infrastructure`);
    if (ready !== undefined) return { ...PROVISIONING, again: ready };
    if (fieldOf(infrastructure.object.status, "ready") !== true)
      await this.#state(infrastructure, { ready: true });
    const kubeconfig = { namespace: at.namespace, name: `${at.name}-kubeconfig` };
    if ((await client.get(resourceOf(Secret), kubeconfig, { metadataOnly: true })) === undefined)
      return {
        phase: "Provisioning",
        conditions: [
          yes("TopologyReconciled"),
          no(
            "InfrastructureReady",
            "NoApiServer",
            `no API server of this machine stands in for it: Secret ${kubeconfig.name} is missing`,
          ),
        ],
      };
    return this.#control(cluster, at, controlPlane, wants);
  }

  /** The control plane: it starts, and moves to another version once everybody who was asked lets it. */
  async #control(cluster: KubeObject, at: At, controlPlane: Made, wants: string): Promise<Findings> {
    const standing = textOf(fieldOf(controlPlane.object.status, "version"));
    const target = textOf(fieldOf(controlPlane.object.spec, "version"));
    if (standing !== target) {
      const rolled = this.#moment(`${cluster.metadata.uid} ${target}`);
      if (rolled !== undefined)
        return standing === "" ? { ...STARTING, again: rolled } : { ...RUNNING, again: rolled };
      await this.#state(controlPlane, { ready: true, initialized: true, version: target });
    }
    const waits = await this.#pending(cluster, at, target);
    if (target === wants) return waits === undefined ? RUNNING : { ...RUNNING, again: waits };
    const question = { cluster, fromKubernetesVersion: target, toKubernetesVersion: wants };
    const answer = await this.#extensions.ask("BeforeClusterUpgrade", question);
    if (answer.state === "wait") {
      const message = `hook BeforeClusterUpgrade holds up the upgrade to ${wants}${answer.message === "" ? "" : `: ${answer.message}`}`;
      const again = this.#tools.clock.now() + answer.seconds * 1000;
      return { ...heldUp("LifecycleHookBlocking", message), again };
    }
    await this.#owe(at, (hooks) => [...new Set([...hooks, AFTER_CONTROL_PLANE, AFTER_UPGRADE])]);
    await this.#moveTo(controlPlane, wants);
    this.#begun.delete(`${cluster.metadata.uid} ${wants}`);
    return { ...RUNNING, again: this.#tools.clock.now() };
  }

  /** Calls the hooks that nobody waits for, each until it succeeds; resolves with the time of the next try. */
  async #pending(cluster: KubeObject, at: At, version: string): Promise<number | undefined> {
    for (const hook of pendingOf(cluster)) {
      const question = hook === AFTER_START ? { cluster } : { cluster, kubernetesVersion: version };
      const answer = await this.#extensions.ask(hook, question);
      if (answer.state === "wait") return this.#tools.clock.now() + answer.seconds * 1000;
      await this.#owe(at, (hooks) => hooks.filter((one) => one !== hook));
    }
    return undefined;
  }

  async #owe(at: At, change: (hooks: readonly string[]) => readonly string[]): Promise<void> {
    const { client } = this.#tools;
    const cluster = await client.get(CLUSTERS, at);
    if (cluster === undefined) return;
    const hooks = change(pendingOf(cluster)).join(",");
    const metadata = {
      resourceVersion: cluster.metadata.resourceVersion,
      annotations: { [PENDING]: hooks === "" ? null : hooks },
    };
    await client.patch(CLUSTERS, at, "merge", { metadata }, { fieldManager: PLAYER });
  }

  async #refer(cluster: KubeObject, at: At, infrastructure: Made, controlPlane: Made): Promise<void> {
    const reference = ({ object }: Made) => ({
      apiVersion: object.apiVersion,
      kind: object.kind,
      namespace: at.namespace,
      name: object.metadata.name,
    });
    const wanted = {
      infrastructureRef: reference(infrastructure),
      controlPlaneRef: reference(controlPlane),
    };
    const { infrastructureRef, controlPlaneRef } = fieldsOf(cluster.spec);
    if (sameJson({ infrastructureRef, controlPlaneRef }, wanted)) return;
    await this.#tools.client.patch(CLUSTERS, at, "merge", { spec: wanted }, { fieldManager: PLAYER });
  }

  async #state({ resource, object }: Made, status: Readonly<Record<string, unknown>>): Promise<void> {
    const { name, namespace } = object.metadata;
    await this.#tools.client.patch(
      resource,
      { name, namespace },
      "merge",
      { status },
      {
        fieldManager: PLAYER,
        subresource: "status",
      },
    );
  }

  async #moveTo({ resource, object }: Made, version: string): Promise<void> {
    const { name, namespace } = object.metadata;
    const options = { fieldManager: PLAYER };
    await this.#tools.client.patch(resource, { name, namespace }, "merge", { spec: { version } }, options);
  }

  async #tell(at: At, { phase, conditions }: Findings): Promise<void> {
    const { client, clock } = this.#tools;
    const cluster = await client.get(CLUSTERS, at);
    if (cluster === undefined) return;
    const now = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
    const isTrue = (type: string): boolean =>
      conditions.some((one) => one.type === type && one.reason === undefined);
    const before = fieldsOf(cluster.status);
    const status = {
      phase,
      infrastructureReady: isTrue("InfrastructureReady"),
      controlPlaneReady: isTrue("ControlPlaneInitialized"),
      conditions: conditionsAfter(before.conditions, conditions, now),
    };
    if (sameJson({ ...before, ...status }, before)) return;
    await client.patch(CLUSTERS, at, "merge", { status }, { fieldManager: PLAYER, subresource: "status" });
  }

  /** Lets go of a Cluster: what was made of templates goes first. */
  async #remove(cluster: KubeObject, at: At): Promise<number | undefined> {
    const { finalizers = [], resourceVersion } = cluster.metadata;
    if (!finalizers.includes(FINALIZER)) return undefined;
    const { infrastructureRef, controlPlaneRef } = fieldsOf(cluster.spec);
    for (const reference of [controlPlaneRef, infrastructureRef])
      await removeMade(this.#tools.client, reference, at.namespace);
    const metadata = { resourceVersion, finalizers: finalizers.filter((one) => one !== FINALIZER) };
    await this.#tools.client.patch(CLUSTERS, at, "merge", { metadata }, { fieldManager: PLAYER });
    return undefined;
  }

  /** The time at which what takes a moment is done; undefined once it is. */
  #moment(what: string): number | undefined {
    const now = this.#tools.clock.now();
    const due = (this.#begun.get(what) ?? now) + this.#delay;
    if (!this.#begun.has(what)) this.#begun.set(what, now);
    return due > now ? due : undefined;
  }
}

const PROVISIONING: Findings = {
  phase: "Provisioning",
  conditions: [
    yes("TopologyReconciled"),
    no("InfrastructureReady", "Provisioning", "the infrastructure is being made"),
    no("ControlPlaneInitialized", "WaitingForInfrastructure", "the infrastructure is being made"),
  ],
};
const STARTING: Findings = {
  phase: "Provisioning",
  conditions: [
    yes("TopologyReconciled"),
    yes("InfrastructureReady"),
    no("ControlPlaneInitialized", "WaitingForControlPlaneInitialized", "the control plane starts"),
  ],
};
const RUNNING: Findings = {
  phase: "Provisioned",
  conditions: [
    yes("TopologyReconciled"),
    yes("InfrastructureReady"),
    yes("ControlPlaneInitialized"),
    yes("Available"),
  ],
};

/** A Cluster that runs, and does not get further. */
const heldUp = (reason: string, message: string): Findings => ({
  ...RUNNING,
  conditions: RUNNING.conditions.map((one) =>
    one.type === "TopologyReconciled" ? no(one.type, reason, message) : one,
  ),
});

const pendingOf = ({ metadata }: KubeObject): readonly string[] =>
  (metadata.annotations?.[PENDING] ?? "").split(",").filter((hook) => hook !== "");

const isPaused = ({ metadata, spec }: KubeObject): boolean =>
  fieldOf(spec, "paused") === true || metadata.annotations?.["cluster.x-k8s.io/paused"] !== undefined;

/** The class that a Cluster names; undefined where it has no topology. */
function classOf({ spec }: KubeObject, { namespace }: At): At | undefined {
  const topology = fieldOf(spec, "topology");
  const name = textOf(fieldOf(topology, "class"));
  return name === ""
    ? undefined
    : { name, namespace: textOf(fieldOf(topology, "classNamespace")) || namespace };
}
