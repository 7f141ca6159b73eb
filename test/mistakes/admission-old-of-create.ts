// error: 'old' is possibly 'undefined'
import { admission, allow, deny } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

admission("a", Gadget, ["create", "update"]).function({
  admit: ({ object, old }) => (object.spec.size < old.spec.size ? deny("it must not shrink") : allow()),
});
