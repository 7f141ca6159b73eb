// error: is not assignable to type
import * as z from "zod";
import { defineSystem } from "../../shared/function/index.ts";

export const system = defineSystem({
  name: "s",
  functions: [],
  config: z.object({ kinds: z.string() }),
  admits: (config) => ({ part: config.kinds }),
});
