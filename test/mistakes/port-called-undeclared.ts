// error: "shop"
import { call, definePort, each } from "../../shared/function/index.ts";
import { Gadget } from "./gadget.ts";

type Orders = { readonly order: (size: number) => Promise<string> };
const shop = definePort("shop").of<object, Orders>();
const bank = definePort("bank").of<object, Orders>();

each(Gadget).function({
  name: "g",
  uses: [bank],
  reconcile: ({ self }) => ({ effects: call(shop, "order", self.spec.size, { key: self.metadata.uid }) }),
});
