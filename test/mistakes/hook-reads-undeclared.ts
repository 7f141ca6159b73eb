// error: this kind is not declared
import * as z from "zod";
import { hook } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

hook({ name: "h", request: z.object({}), response: z.object({ go: z.boolean() }) }).function({
  storesNothing: "it only looks",
  observe: async ({ read }) => ({ gadgets: await read.list(Gadget) }),
  answer: () => ({ go: true }),
});
