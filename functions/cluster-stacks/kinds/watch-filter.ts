/** The label of Cluster API by which several programs share one management cluster. */
export const FILTER_LABEL = "cluster.x-k8s.io/watch-filter";
