// error: 'size' does not exist
import { each, patch } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  reconcile: ({ self }) => ({ effects: patch(Gadget, self, { engine: { size: 2 } }) }),
});
