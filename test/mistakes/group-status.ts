// error: readonly
import { all } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

all(Gadget).function({
  name: "g",
  reconcile: ({ members }) => ({ status: { state: members.length > 0 ? "Ready" : "Error" } }),
});
