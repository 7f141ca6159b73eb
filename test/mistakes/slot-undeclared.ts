// error: "part"
import { apply, defineDynamic, each, unwatched } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Gadget } from "./gadget.ts";

class Part extends defineDynamic("part") {}

each(Gadget).function({
  name: "g",
  writes: [unwatched(ConfigMap, "a mistake")],
  reconcile: () => ({
    effects: apply(Part, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "b" } }),
  }),
});
