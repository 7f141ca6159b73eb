// error: Type 'string' is not assignable to type 'number'
import * as z from "zod";
import { hook } from "../../shared/function/index.ts";

hook({ name: "h", request: z.object({}), response: z.object({ again: z.number() }) }).function({
  storesNothing: "it always says yes",
  answer: () => ({ again: "soon" }),
});
