// error: 'options' does not exist
import { admission, allow } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

admission("a", Gadget, ["update"]).function({
  admits: (it) => ({ parameters: it.spec.parameters }),
  admit: ({ object }) =>
    allow({ labels: { name: object.metadata.name }, entries: { options: { color: null } } }),
});
