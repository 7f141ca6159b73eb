// error: not assignable to type 'string'
import { each, own } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  owns: [ConfigMap],
  reconcile: ({ self }) => {
    const map = own(self, ConfigMap, { metadata: { name: "x" } });
    return {
      effects: map,
      conclude: (results) => {
        const result = results(map);
        return { status: { state: "Error", note: result.state === "done" ? result.value : "" } };
      },
    };
  },
});
