// error: Gadget
import { changed, each } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Deployment } from "../../shared/kube/kinds/deployment.ts";
import type { Gadget } from "./gadget.ts";

const wake = changed(ConfigMap).toEach((gadget: Gadget) => gadget.spec.size > 1);
each(Deployment).function({ name: "d", wakes: [wake], reconcile: () => ({}) });
