// error: a change of this kind would not wake the function
import { each } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({ name: "g", writes: [ConfigMap], reconcile: () => ({}) });
