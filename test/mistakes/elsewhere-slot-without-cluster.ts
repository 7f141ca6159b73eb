// error: is not assignable
import { each, unwatched } from "../../shared/function/index.ts";
import { Gadget, PlantPart } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  reads: [unwatched(PlantPart, "a mistake")],
  observe: async ({ read }) => ({
    part: await read.object(PlantPart, { apiVersion: "v1", kind: "Pod", namespace: "a", name: "b" }),
  }),
  reconcile: () => ({}),
});
