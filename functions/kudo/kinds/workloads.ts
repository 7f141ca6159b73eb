import { withLabels } from "../../../shared/function/index.ts";
import * as kinds from "../../../shared/kube/kinds/index.ts";

/** The label, with its value, of all that KUDO applies. */
export const HERITAGE_LABEL = "heritage";
export const HERITAGE = "kudo";
/** The label that names the Instance of an object. */
export const INSTANCE_LABEL = "kudo.dev/instance";

/** The labels that Kubernetes puts on what a Deployment, a StatefulSet or a DaemonSet made, and on the pods of a Job. */
export const MADE_BY = {
  template: "pod-template-hash",
  revision: "controller-revision-hash",
  job: "job-name",
} as const;

const LABELS = { heritage: HERITAGE_LABEL, instance: INSTANCE_LABEL, ...MADE_BY } as const;

/** A Deployment, and whose it is. */
export class Deployment extends withLabels(kinds.Deployment, LABELS) {}
/** A StatefulSet, and whose it is. */
export class StatefulSet extends withLabels(kinds.StatefulSet, LABELS) {}
/** A DaemonSet, and whose it is. */
export class DaemonSet extends withLabels(kinds.DaemonSet, LABELS) {}
/** A ReplicaSet, and whose it is. */
export class ReplicaSet extends withLabels(kinds.ReplicaSet, LABELS) {}
/** A Pod, and whose it is. */
export class Pod extends withLabels(kinds.Pod, LABELS) {}

/** A kind of the workloads on which the readiness of an Instance rests (5.6). */
export type WorkloadKind =
  | typeof Deployment
  | typeof StatefulSet
  | typeof DaemonSet
  | typeof ReplicaSet
  | typeof Pod;
