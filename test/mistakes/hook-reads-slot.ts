// error: a hook reads and writes kinds, no slots
import * as z from "zod";
import { defineDynamic, hook } from "../../shared/function/index.ts";

class Part extends defineDynamic("part") {}
hook({ name: "h", request: z.object({}), response: z.object({ go: z.boolean() }) }).function({
  reads: [Part],
  storesNothing: "it only looks",
  answer: () => ({ go: true }),
});
