// error: Argument of type 'typeof ConfigMap' is not assignable
import { awaited, each } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/index.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  writes: [awaited(ConfigMap, "a mistake: a kind that is known is woken on")],
  reconcile: () => ({}),
});
