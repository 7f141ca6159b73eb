import type { Functions } from "../function.ts";
import { deepEqual, isEmpty } from "./deep.ts";
import { fixed, variadic } from "./define.ts";

/** Functions that choose between values, and that compare them. */
export const defaults: Functions = {
  default: variadic(["interface {}"], "interface {}", ([otherwise, ...given]) =>
    given.length === 0 || isEmpty(given[0]) ? otherwise : given[0],
  ),
  empty: fixed(["interface {}"], ([value]) => isEmpty(value)),
  coalesce: variadic([], "interface {}", (values) => values.find((value) => !isEmpty(value)) ?? null),
  all: variadic([], "interface {}", (values) => !values.some(isEmpty)),
  any: variadic([], "interface {}", (values) => values.some((value) => !isEmpty(value))),
  ternary: fixed(["interface {}", "interface {}", "bool"], ([yes, no, choice]) => (choice ? yes : no)),
  deepEqual: fixed(["interface {}", "interface {}"], ([one, other], { budget }) =>
    deepEqual(one, other, budget),
  ),
};
