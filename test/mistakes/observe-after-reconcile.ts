// error: 'count'
import { each } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  reconcile: ({ count }) => ({ status: { state: count > 1 ? "Ready" : "Error" } }),
  observe: async ({ self }) => ({ count: self.spec.size }),
});
