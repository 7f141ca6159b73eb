// error: Expected 2 arguments, but got 1
import { each, unwatched } from "../../shared/function/index.ts";
import { Gadget, PlantMap } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  reads: [unwatched(PlantMap, "a mistake")],
  observe: async ({ read }) => ({ maps: await read.list(PlantMap) }),
  reconcile: () => ({}),
});
