// error: Property 'namespace' is missing
import * as z from "zod";
import { defineEvent, each, on } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

const rang = defineEvent("bell.rang", z.object({ tower: z.string() }), ({ tower }) => tower);

each(Gadget).function({
  name: "g",
  wakes: [on(rang).toName<typeof Gadget>(({ tower }) => ({ name: tower }))],
  reconcile: () => ({}),
});
