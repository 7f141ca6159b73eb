// error: this kind is not declared
import { admission, allow } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/index.ts";
import { Gadget } from "./gadget.ts";

admission("a", Gadget, ["create"]).function({
  observe: async ({ read, object }) => ({
    map: await read.get(ConfigMap, { name: object.metadata.name, namespace: object.metadata.namespace }),
  }),
  admit: () => allow(),
});
