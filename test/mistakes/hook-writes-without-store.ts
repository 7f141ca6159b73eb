// error: Type 'typeof Gadget' is not assignable to type 'never'
import * as z from "zod";
import { hook } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

hook({ name: "h", request: z.object({}), response: z.object({ go: z.boolean() }) }).function({
  writes: [Gadget],
  answer: () => ({ go: true }),
});
