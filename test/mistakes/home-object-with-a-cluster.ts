// error: Type 'string' is not assignable to type 'never'
import { each, unwatched } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  reads: [unwatched(ConfigMap, "a mistake")],
  observe: async ({ read }) => ({
    map: await read.get(ConfigMap, { cluster: "a/b", namespace: "a", name: "b" }),
  }),
  reconcile: () => ({}),
});
