// error: 'namespace' is missing
import { changed, each } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  wakes: [changed(ConfigMap).toName((map) => ({ name: map.name }))],
  reconcile: () => ({}),
});
