// error: Type '"ConfigMap"' is not assignable to type '"Gadget"'
import * as z from "zod";
import { create, hook } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/index.ts";
import { Gadget } from "./gadget.ts";

hook({ name: "h", request: z.object({}), response: z.object({ go: z.boolean() }) }).function({
  writes: [Gadget],
  store: () => create(ConfigMap, { metadata: { name: "asked", namespace: "default" } }),
  answer: () => ({ go: true }),
});
