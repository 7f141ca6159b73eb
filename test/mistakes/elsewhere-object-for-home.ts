// error: is not assignable
import { each, patch, unwatched } from "../../shared/function/index.ts";
import { Gadget, PlantMap } from "./gadget.ts";

each(Gadget).function({
  name: "g",
  writes: [unwatched(PlantMap, "a mistake")],
  reconcile: ({ self }) => ({ effects: patch(PlantMap, self, { labels: { a: "b" } }) }),
});
