// error: "Deployment"
import { each, own } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Deployment } from "../../shared/kube/kinds/deployment.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  owns: [ConfigMap],
  reconcile: ({ self }) => ({ effects: own(self, Deployment, { metadata: { name: "x" }, spec: {} }) }),
});
