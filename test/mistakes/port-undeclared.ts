// error: this port is not declared
import { definePort, each } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

const shop = definePort("shop").of<{ priceOf(size: number): Promise<number> }>();
const bank = definePort("bank").of<{ balance(): Promise<number> }>();

each(Gadget).function({
  name: "g",
  uses: [bank],
  observe: async ({ self, use }) => ({ price: await use(shop).priceOf(self.spec.size) }),
  reconcile: () => ({}),
});
