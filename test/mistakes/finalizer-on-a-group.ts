// error: never
import { all } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

all(Gadget).function({
  name: "g",
  reconcile: () => ({}),
  finalizer: { name: "example.org/g", finalize: () => ({}) },
});
