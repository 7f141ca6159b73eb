/** A component of a generated cluster: its conventional level and name, and whether it reports through a ClusterOperator. */
export interface Component {
  readonly level: string;
  readonly name: string;
  readonly operator: boolean;
}

const at = (level: string, names: string, operator = true): readonly Component[] =>
  names.split(" ").map((name) => ({ level, name, operator }));

/** The components: as many as in a cluster of this size, on the levels that such payloads use by convention. */
export const COMPONENTS: readonly Component[] = [
  ...at("00", "version-operator", false),
  ...at("03", "authorization config-shared", false),
  ...at("05", "config-operator", true),
  ...at("10", "config-objects", false),
  ...at("12", "etcd"),
  ...at("20", "kube-apiserver"),
  ...at("25", "kube-controller-manager kube-scheduler"),
  ...at("30", "apiserver cluster-api machine-api openshift-controller-manager"),
  ...at("31", "machine-approver"),
  ...at(
    "50",
    "authentication autoscaler cloud-credential console image-registry ingress insights marketplace monitoring node-tuning samples service-ca storage support",
  ),
  ...at("50", "olm operator-catalog", true),
  ...at("70", "dns network"),
  ...at("80", "machine-config"),
  ...at("90", "alerts dashboards", false),
];
