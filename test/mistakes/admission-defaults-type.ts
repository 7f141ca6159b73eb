// error: Type 'string' is not assignable to type 'number'
import { admission, allow } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

admission("a", Gadget, ["create"]).function({ admit: () => allow({ defaults: { spec: { size: "2" } } }) });
