// error: Property 'order' does not exist
import { definePort, each } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

const shop = definePort("shop").of<
  { priceOf(size: number): Promise<number> },
  { readonly order: (size: number) => Promise<string> }
>();

each(Gadget).function({
  name: "g",
  uses: [shop],
  observe: async ({ self, use }) => ({ order: await use(shop).order(self.spec.size) }),
  reconcile: () => ({}),
});
