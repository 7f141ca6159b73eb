// error: 'size' does not exist
import { admission, allow } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

admission("a", Gadget, ["create", "update"]).function({
  admit: () => allow({ engine: { size: 2 } }),
});
