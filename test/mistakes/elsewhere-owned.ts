// error: this kind lies in other clusters
import { awaited, each, own } from "../../shared/function/index.ts";
import { Gadget, PlantMap } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  writes: [awaited(PlantMap, "a mistake")],
  reconcile: ({ self }) => ({ effects: own(self, PlantMap, { metadata: { name: "a" }, data: {} }) }),
});
