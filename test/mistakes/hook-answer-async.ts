// error: Type 'Promise<
import * as z from "zod";
import { hook } from "../../shared/function/index.ts";

hook({ name: "h", request: z.object({}), response: z.object({ go: z.boolean() }) }).function({
  storesNothing: "it always says yes",
  answer: async () => ({ go: true }),
});
