// error: 'strict'
import { each } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  reconcile: (_, { config }) => ({ status: { state: config.strict ? "Ready" : "Error" } }),
});
