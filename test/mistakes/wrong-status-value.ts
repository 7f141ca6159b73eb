// error: "Redy"
import { each } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

each(Gadget).function({ name: "g", reconcile: () => ({ status: { state: "Redy" } }) });
