// error: this kind lies in other clusters
import { changed, each } from "../../shared/function/index.ts";
import { Gadget, PlantMap } from "./gadget.ts";

each(Gadget).function({ name: "g", wakes: [changed(PlantMap).toEvery()], reconcile: () => ({}) });
