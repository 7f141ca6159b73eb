// error: Property 'cluster' is missing
import { each, unwatched } from "../../shared/function/index.ts";
import { Gadget, PlantMap } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  reads: [unwatched(PlantMap, "a mistake")],
  observe: async ({ read }) => ({ map: await read.get(PlantMap, { namespace: "a", name: "b" }) }),
  reconcile: () => ({}),
});
