// error: missing the following properties
import { each, remove } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  owns: [ConfigMap],
  reconcile: () => ({ effects: remove(ConfigMap, { metadata: { namespace: "n", name: "x" } }) }),
});
