// error: Type 'Promise<Allowed<
import { admission, allow } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

admission("a", Gadget, ["create"]).function({ admit: async () => allow() });
