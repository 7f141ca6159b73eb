// error: Property 'priceOf' is missing
import { definePort } from "../../shared/function/index.ts";

const shop = definePort("shop").of<
  { priceOf(size: number): Promise<number> },
  { readonly order: (size: number) => Promise<string> }
>();

export const half = shop.bind({ order: async () => "1" });
