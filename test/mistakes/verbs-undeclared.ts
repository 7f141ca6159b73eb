// error: 'Deployment' does not exist
import { each } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  owns: [ConfigMap],
  verbs: { ConfigMap: ["get"], Deployment: ["get"] },
  reconcile: () => ({}),
});
