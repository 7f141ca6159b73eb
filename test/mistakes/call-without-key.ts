// error: Property 'key' is missing
import { call, definePort, each } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

const shop = definePort("shop").of<object, { readonly order: (size: number) => Promise<string> }>();

each(Gadget).function({
  name: "g",
  uses: [shop],
  reconcile: ({ self }) => ({ effects: call(shop, "order", self.spec.size, {}) }),
});
