// error: Type 'number' is not assignable to type 'string'
import { admission, allow } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

admission("a", Gadget, ["update"]).function({
  admits: (it) => ({ parameters: it.spec.parameters }),
  admit: ({ object }) =>
    allow({ labels: { name: object.metadata.name }, entries: { parameters: { color: 3 } } }),
});
