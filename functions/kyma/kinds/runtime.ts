import { type ClusterState, defineClusters, defineDynamic } from "../../../shared/function/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { isLabelValue } from "../../../shared/kube/label-value.ts";
import { Kyma } from "./kyma.ts";
import { ANNOTATIONS, LABELS } from "./labels.ts";

/** The namespace of the control plane: Kymas, their catalog, and the kubeconfigs of their clusters. */
export const CONTROL_PLANE = "kcp-system";
/** The namespace in a runtime where whatever belongs to no module lies. */
export const RUNTIME_NAMESPACE = "kyma-system";
/** The name of the Kyma in each runtime. */
export const RUNTIME_KYMA = "default";

/** The clusters that Kymas are for, by the names of these. */
export const runtimes = defineClusters("runtime", {
  secret: { namespace: CONTROL_PLANE, label: LABELS.kymaName, key: "config" },
  // The Kyma in a runtime names its own at home.
  mark: {
    resource: resourceOf(Kyma),
    namespace: RUNTIME_NAMESPACE,
    name: RUNTIME_KYMA,
    annotation: ANNOTATIONS.ownedBy,
  },
});

/** True where Manifests and a Secret can name a Kyma: labels are shorter than names. */
export const isNameable = ({ name }: { readonly name: string }): boolean => isLabelValue(name);
/** The words for one that nothing can name. */
export const UNNAMEABLE =
  "its name has more than 63 characters, and no label can hold it, by which its Secret and its Manifests are found: delete this one, and make it under a shorter name";

/**
 * The state of the runtime of a Kyma. Names of Kymas alone lead to Secrets: one in another namespace than the control plane's would have the
 * runtime of its namesake there, and has none.
 */
export const runtimeOf = async (
  kyma: { readonly namespace: string; readonly name: string },
  read: { cluster(clusters: typeof runtimes, name: string): Promise<ClusterState> },
  { target }: { readonly target: "secret" | "local" },
): Promise<ClusterState> => {
  if (!isNameable(kyma)) return without(kyma, UNNAMEABLE);
  return target === "local" || kyma.namespace === CONTROL_PLANE
    ? read.cluster(runtimes, kyma.name)
    : without(kyma, ELSEWHERE);
};
const without = ({ name }: { readonly name: string }, reason: string): ClusterState => ({
  state: "no secret",
  cluster: name,
  reason,
  wait: { for: reason },
});
const ELSEWHERE = `Kymas have a runtime in the namespace ${CONTROL_PLANE} alone: delete this one, and make it there`;

class ModuleObject extends defineDynamic("module-object") {}
/** The objects of modules, and whatever else is put into a runtime. */
export class RuntimeObject extends runtimes.kind(ModuleObject) {}
