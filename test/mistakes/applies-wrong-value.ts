// error: Type 'string' is not assignable to type 'number'
import { apply, each } from "../../shared/function/index.ts";
import { Deployment } from "../../shared/kube/kinds/index.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  writes: [Deployment],
  reconcile: ({ self }) => ({
    effects: apply(Deployment, {
      metadata: { name: self.metadata.name, namespace: self.metadata.namespace },
      spec: { replicas: "two" },
    }),
  }),
});
