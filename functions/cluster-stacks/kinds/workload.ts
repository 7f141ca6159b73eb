import { defineClusters, defineDynamic } from "../../../shared/function/index.ts";

/** The workload clusters, as `namespace/name` of their Clusters: Cluster API leaves their kubeconfigs in Secrets beside these. */
export const workloads = defineClusters("workload", { secret: { suffix: "-kubeconfig", key: "value" } });

class AddonObject extends defineDynamic("addon-object") {}
/** The objects of addons, in workload clusters. */
export class WorkloadObject extends workloads.kind(AddonObject) {}

/** A Cluster, its control plane and its infrastructure as values templates read them: whole. */
export class ClusterObject extends defineDynamic("cluster-object") {}
