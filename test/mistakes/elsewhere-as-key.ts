// error: this kind lies in other clusters
import { each } from "../../shared/function/index.ts";
import { PlantMap } from "./gadget.ts";

each(PlantMap).function({ name: "g", reconcile: () => ({}) });
