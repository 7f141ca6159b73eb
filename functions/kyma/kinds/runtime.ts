import { defineClusters, defineDynamic } from "../../../shared/function/index.ts";
import { LABELS } from "./labels.ts";

/** The namespace of the control plane: Kymas, their catalog, and the kubeconfigs of their clusters. */
export const CONTROL_PLANE = "kcp-system";
/** The namespace in a runtime where whatever belongs to no module lies. */
export const RUNTIME_NAMESPACE = "kyma-system";

/** The clusters that Kymas are for, by the names of these. */
export const runtimes = defineClusters("runtime", {
  secret: { namespace: CONTROL_PLANE, label: LABELS.kymaName, key: "config" },
});

class ModuleObject extends defineDynamic("module-object") {}
/** The objects of modules, and whatever else is put into a runtime. */
export class RuntimeObject extends runtimes.kind(ModuleObject) {}
