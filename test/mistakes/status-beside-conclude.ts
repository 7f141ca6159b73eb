// error: Types of property 'conclude' are incompatible
import { each, own } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  owns: [ConfigMap],
  reconcile: ({ self }) => ({
    effects: own(self, ConfigMap, { metadata: { name: "x" } }),
    status: { state: "Ready" },
    conclude: () => ({ status: { state: "Ready" } }),
  }),
});
