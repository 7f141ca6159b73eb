// error: this is a slot for kinds that only data names
import { defineDynamic, each, unwatched } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

class Part extends defineDynamic("part") {}

each(Gadget).function({
  name: "g",
  reads: [unwatched(Part, "a mistake")],
  observe: async ({ read }) => ({ part: await read.get(Part, { name: "a" }) }),
  reconcile: () => ({}),
});
