// error: this kind lies in other clusters
import { each } from "../../shared/function/index.ts";
import { Gadget, PlantMap } from "./gadget.ts";

each(Gadget).function({ name: "g", owns: [PlantMap], reconcile: () => ({}) });
