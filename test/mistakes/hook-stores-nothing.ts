// error: Property 'storesNothing' is missing
import * as z from "zod";
import { hook } from "../../shared/function/index.ts";

hook({ name: "h", request: z.object({}), response: z.object({ go: z.boolean() }) }).function({
  answer: () => ({ go: true }),
});
