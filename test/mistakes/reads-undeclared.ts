// error: this kind is not declared
import { each } from "../../shared/function/index.ts";
import { Deployment } from "../../shared/kube/kinds/deployment.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  observe: async ({ self, read }) => ({
    d: await read.get(Deployment, { namespace: "n", name: self.metadata.name }),
  }),
  reconcile: () => ({}),
});
