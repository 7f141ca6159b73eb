// error: Property 'cluster' is missing
import { apply, each, unwatched } from "../../shared/function/index.ts";
import { Gadget, PlantMap } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  writes: [unwatched(PlantMap, "a mistake")],
  reconcile: () => ({ effects: apply(PlantMap, { metadata: { namespace: "a", name: "b" }, data: {} }) }),
});
