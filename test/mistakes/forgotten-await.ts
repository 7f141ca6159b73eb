// error: Property 'data' does not exist
import { changed, each } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  wakes: [changed(ConfigMap).toOwner()],
  observe: async ({ self, read }) => ({
    map: read.get(ConfigMap, { namespace: self.metadata.namespace, name: "x" }),
  }),
  reconcile: ({ map }) => ({ status: { state: map.data ? "Ready" : "Error" } }),
});
