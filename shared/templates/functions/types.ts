import type { Functions } from "../function.ts";
import { kindOf, typeOf } from "../values.ts";
import { fixed } from "./define.ts";

/** Functions that tell Go's types and kinds. */
export const types: Functions = {
  typeOf: fixed(["interface {}"], ([value]) => typeOf(value)),
  typeIs: fixed(["string", "interface {}"], ([type, value]) => type === typeOf(value)),
  typeIsLike: fixed(["string", "interface {}"], ([type, value]) =>
    [type, `*${type}`].includes(typeOf(value)),
  ),
  kindOf: fixed(["interface {}"], ([value]) => kindOf(value)),
  kindIs: fixed(["string", "interface {}"], ([kind, value]) => kind === kindOf(value)),
};
