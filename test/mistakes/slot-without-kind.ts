// error: missing the following properties
import { apply, defineDynamic, each, unwatched } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

class Part extends defineDynamic("part") {}

each(Gadget).function({
  name: "g",
  writes: [unwatched(Part, "a mistake")],
  reconcile: ({ self }) => ({ effects: apply(Part, { metadata: { name: self.metadata.name } }) }),
});
