import assert from "node:assert/strict";
import { eventually } from "../../../infra/testing/eventually.ts";
import type { UserCluster } from "../../../infra/testing/system/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { type Kind, type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Deployment, Event, Job, Secret, StatefulSet } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { verdictOn } from "../decide/health/index.ts";
import { Instance, OperatorVersion } from "../index.ts";
import type { InstanceSpec, OperatorVersionSpec, PlanStatus } from "../kinds/index.ts";
import { watchInvariants } from "./invariants.ts";

/** The namespace of the scenarios. */
export const SHOP = "shop";
/** The kinds that the scenarios' templates bring, and whose objects nobody else makes. */
export const BROUGHT = [ConfigMap, Secret, StatefulSet, Deployment, Job] as const;
const USER = { fieldManager: "user" } as const;
/** The words of a fault that the kit makes. */
const FAULT_WORDS = "did not answer";

/** The scenarios' cluster in the words of those who install operators, whoever runs the functions. */
export interface Shop extends UserCluster {
  /** Installs a version of an operator. */
  version(name: string, spec: OperatorVersionSpec): Promise<void>;
  /** Creates an Instance, as a user does. */
  create(spec: InstanceSpec, name?: string): Promise<void>;
  /** Merges a change into the spec of an Instance, as `kubectl kudo update` does. */
  edit(spec: Readonly<Record<string, unknown>>, name?: string): Promise<void>;
  instance(name?: string): Promise<Obj<typeof Instance>>;
  plan(plan: string, name?: string): Promise<PlanStatus | undefined>;
  /** An object that templates brought. */
  find(kind: Kind, name: string): Promise<KubeObject | undefined>;
  events(reason: string): Promise<readonly string[]>;
  /** Writes the status of plans, as upstream's manager did. */
  handled(plans: Readonly<Record<string, PlanStatus>>): Promise<void>;
  /** Merges a change into an object, as a user does. */
  patch(kind: Kind, name: string, change: Readonly<Record<string, unknown>>): Promise<void>;
  /** Resolves once that is so: what the API server's own controllers do is no work of ours. */
  until(what: string, holds: () => Promise<boolean>): Promise<void>;
  /** Audits no more. */
  stop(): Promise<void>;
}

/**
 * The shop in a cluster, with an auditor of its Instances.
 *
 * @param passUntil lets time pass: a step that failed by a fault of the kit is tried again then. Absent: there are none
 */
export function shopOf(
  client: KubeClient,
  cluster: UserCluster,
  passUntil?: (time: number) => void | Promise<void>,
): Shop {
  const invariants = watchInvariants(client);
  const at = (name = "db") => ({ name, namespace: SHOP });
  const instance = async (name?: string) => {
    const found = await cluster.get(Instance, at(name));
    assert.ok(found !== undefined, `Instance ${name ?? "db"} is there`);
    return found;
  };
  const rolledOut = async (): Promise<boolean> => {
    const lists = await Promise.all(
      [StatefulSet, Deployment, Job].map((kind: Kind) => cluster.list(kind, SHOP)),
    );
    return lists.flat().every((workload) => verdictOn(workload).state !== "waiting");
  };
  const collected = async (): Promise<boolean> => {
    const lists = await Promise.all(
      [StatefulSet, Deployment, Job, ConfigMap].map((kind: Kind) => cluster.list(kind, SHOP)),
    );
    return lists.flat().every(({ metadata }) => metadata.labels.heritage !== "kudo");
  };
  // A rollout is the work of others; what rests on it comes after.
  const rest = async (): Promise<void> => {
    await cluster.settled();
    await eventually("workloads to be rolled out, or to have failed", rolledOut);
    await cluster.settled();
  };
  const settled = async (): Promise<void> => {
    await rest();
    if (passUntil !== undefined)
      for (let next = await retryOfFault(); next !== undefined; next = await retryOfFault()) {
        await passUntil(Date.parse(next));
        await rest();
      }
    await invariants.hold();
  };
  /** When a step is tried again that failed by a fault of the test: it was not served, once. */
  const retryOfFault = async (): Promise<string | undefined> =>
    (await cluster.list(Instance))
      .flatMap(({ status }) => Object.values(status?.planStatus ?? {}))
      .filter(({ status }) => status === "IN_PROGRESS")
      .flatMap(({ phases }) => phases?.flatMap(({ steps }) => steps ?? []) ?? [])
      .filter(({ status, message }) => status === "ERROR" && message?.includes(FAULT_WORDS))
      .flatMap(({ nextRetryTime }) => nextRetryTime ?? [])
      .toSorted()[0];
  return {
    ...cluster,
    settled,
    // Versions are no keys of a function: nobody else takes them away.
    empty: async () => {
      await cluster.empty();
      for (const { metadata } of await cluster.list(OperatorVersion))
        await cluster.remove(OperatorVersion, metadata);
      // The garbage collector of a real server learns of new kinds within half a minute.
      await eventually("what Instances owned to be gone", collected, 90_000);
      await cluster.settled();
    },
    stop: () => invariants.stop(),
    handled: async (planStatus) => {
      const options = { fieldManager: "manager", subresource: "status" } as const;
      await client.patch(resourceOf(Instance), at(), "merge", { status: { planStatus } }, options);
    },
    patch: async (kind, name, change) => {
      await client.patch(resourceOf(kind), at(name), "merge", change, USER);
    },
    until: async (what, holds) => {
      await eventually(what, holds);
    },
    version: (name, spec) => cluster.put(OperatorVersion, { name, namespace: SHOP }, { spec }),
    create: (spec, name) => cluster.put(Instance, at(name), { spec }),
    edit: async (spec, name) => {
      await client.patch(resourceOf(Instance), at(name), "merge", { spec }, USER);
    },
    instance,
    plan: async (plan, name) => (await instance(name)).status?.planStatus?.[plan],
    find: (kind, name) => client.get(resourceOf(kind), at(name)),
    events: async (reason) =>
      (await cluster.list(Event, SHOP))
        .filter((event) => event.reason === reason)
        .map(({ message = "" }) => message)
        .toSorted(),
  };
}
