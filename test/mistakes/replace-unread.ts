// error: missing the following properties from type 'Metadata'
import { each, replace, unwatched } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  writes: [unwatched(ConfigMap, "a mistake")],
  reconcile: () => ({
    effects: replace(
      ConfigMap,
      { metadata: { name: "a", namespace: "b" } },
      { metadata: { name: "a" }, data: {} },
    ),
  }),
});
