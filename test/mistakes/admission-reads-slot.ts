// error: an admission reads kinds, no slots
import { admission, allow, defineDynamic } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

class Part extends defineDynamic("part") {}
admission("a", Gadget, ["create"]).function({ reads: [Part], admit: () => allow() });
