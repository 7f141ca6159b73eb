// error: Promise
import { each } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  reconcile: async ({ self }) => ({ status: { state: self.spec.size > 1 ? "Ready" : "Error" } }),
});
