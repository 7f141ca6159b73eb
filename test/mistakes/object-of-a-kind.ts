// error: is not assignable to parameter of type
import { each, unwatched } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  reads: [unwatched(ConfigMap, "a mistake")],
  observe: async ({ read }) => ({
    map: await read.object(ConfigMap, { apiVersion: "v1", kind: "ConfigMap", name: "a" }),
  }),
  reconcile: () => ({}),
});
