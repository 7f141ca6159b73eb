// error: objects of other clusters wake only while they are waited for
import { each } from "../../shared/function/index.ts";
import { Gadget, PlantMap } from "./gadget.ts";

each(Gadget).function({ name: "g", writes: [PlantMap], reconcile: () => ({}) });
