import { awaited, changed, each, unwatched } from "../../shared/function/index.ts";
import type { Source } from "../../shared/function/wakes.ts";
import { Job } from "../../shared/kube/kinds/index.ts";
import { configuration } from "./configuration.ts";
import { FINALIZER } from "./decide/admit/index.ts";
import { adopted } from "./decide/choice/index.ts";
import { CLEANUP, hasPlan, sameVersion } from "./decide/definition/index.ts";
import { workloadsOf } from "./decide/health/index.ts";
import { turn } from "./decide/run/index.ts";
import { lookAtDue, pass } from "./decide/tasks/index.ts";
import { Instance, Operator, OperatorVersion, Templated } from "./kinds/index.ts";
import { PREDECESSOR_MANAGERS } from "./kinds/predecessor.ts";
import {
  DaemonSet,
  Deployment,
  HERITAGE,
  Pod,
  ReplicaSet,
  StatefulSet,
  type WorkloadKind,
} from "./kinds/workloads.ts";

/** For what is read whatever the time is: `observe` has no clock. */
const ANY_TIME = { now: "1970-01-01T00:00:00Z", timeless: true } as const;

/** Wakes the Instance that owns a workload, and the one that its labels name: what another workload made is told of by that one. */
const ofInstance = (workload: Source<WorkloadKind>) => [
  workload.toOwner(),
  workload.toName<typeof Instance>(
    ({ heritage, instance, namespace }) =>
      heritage === HERITAGE && instance !== undefined ? { name: instance, namespace } : undefined,
    { when: ({ template, revision, job }) => (template ?? revision ?? job) === undefined },
  ),
];

/** One Instance: which plan runs, its phases and steps, and whether its workloads are healthy (section 5). */
export const instances = each(Instance).function({
  name: "kudo-instances",
  config: configuration,
  succeeds: PREDECESSOR_MANAGERS,
  wakes: [
    changed(OperatorVersion).toEach((instance, version) =>
      [instance.spec?.operatorVersion, instance.status?.lastStarted?.operatorVersion].some(
        (reference) =>
          reference?.name === version.name &&
          (reference.namespace || instance.metadata.namespace) === version.namespace,
      ),
    ),
    ...ofInstance(changed(Deployment)),
    ...ofInstance(changed(StatefulSet)),
    ...ofInstance(changed(DaemonSet)),
    ...ofInstance(changed(ReplicaSet)),
    ...ofInstance(changed(Pod)),
    changed(Job).toOwner(),
    // A child that a KudoOperator task made.
    changed(Instance).toOwner(),
  ],
  // Its CRD comes with the others: packages bring Operators.
  reads: [unwatched(Operator, "it only describes what its versions do")],
  writes: [awaited(Templated, "followed while a step waits for one of them"), Instance],
  adopts: {
    templated: "what a template names is its Instance's, unless another controls it",
    Instance: "the name of a child is its parent's to choose, whoever made it before",
  },
  executes: {
    why: "copies what the Pods of Pipe tasks made into Secrets and ConfigMaps",
    podsOf: Templated,
  },
  verbs: {
    templated: ["get", "create", "patch", "delete"],
    Operator: [],
    OperatorVersion: ["get"],
    Deployment: ["get", "list"],
    StatefulSet: ["get", "list"],
    DaemonSet: ["get", "list"],
    ReplicaSet: ["list"],
    Pod: ["list"],
  },
  observe: async ({ self, read, config }) => {
    const { namespace } = self.metadata;
    const versionOf = async (
      reference: { name?: string | undefined; namespace?: string | undefined } | undefined,
    ) =>
      reference?.name === undefined || reference.name === ""
        ? undefined
        : read.get(OperatorVersion, { name: reference.name, namespace: reference.namespace || namespace });
    const wanted = self.spec?.operatorVersion;
    const started = (self.status?.lastStarted ?? adopted(self)?.lastStarted)?.operatorVersion;
    const isSame = started === undefined || sameVersion(started, wanted, namespace);
    const [version, other] = await Promise.all([versionOf(wanted), isSame ? undefined : versionOf(started)]);
    const situation = { instance: self, version, startedVersion: isSame ? version : other };
    const next = turn(situation, ANY_TIME);
    const [tasks, workloads] = await Promise.all([
      next.do === "run" ? lookAtDue(self, next, read, versionOf, config) : new Map(),
      next.do === "rest" ? workloadsOf(self, read) : undefined,
    ]);
    return { situation, tasks, workloads };
  },
  reconcile: (world, { now, config }) => pass(world, now, config),
  finalizer: {
    name: FINALIZER,
    when: ({ situation: { version } }) => version !== undefined && hasPlan(version, CLEANUP),
    // A version that cannot be read may have the plan.
    owes: ({ situation: { version } }) => version === undefined,
    finalize: (world, { now, config }) => pass(world, now, config),
  },
});
