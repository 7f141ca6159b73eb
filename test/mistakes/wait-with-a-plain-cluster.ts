// error: is not assignable to type '`@${string}:${string}`
import { each } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  reconcile: () => ({
    waitingFor: [
      {
        for: "a map",
        object: { apiVersion: "v1", kind: "ConfigMap", namespace: "a", name: "b", cluster: "rt-1" },
      },
    ],
  }),
});
