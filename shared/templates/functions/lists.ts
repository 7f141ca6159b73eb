import { grownTo } from "../capacity.ts";
import { FunctionFault } from "../errors.ts";
import type { Call, Functions } from "../function.ts";
import { byteOrder, Int, kindOf, List, type Value } from "../values.ts";
import { toInteger } from "./cast.ts";
import { deepEqual, isEmpty } from "./deep.ts";
import { alsoMust, fixed, itemsOf, textFrom, textList, textsOf, variadic } from "./define.ts";

/** The bytes of an item of any type. */
const ITEM_SIZE = 16;
/** The items and one more, in a slice that had room for no more than the items. */
const grown = (items: readonly Value[], item: Value): List =>
  new List(
    [...items, item],
    "interface {}",
    false,
    grownTo(items.length + 1, items.length, ITEM_SIZE) - items.length - 1,
  );
/** One more and the items, in a slice that had room for one. */
const prepended = (item: Value, items: readonly Value[]): List =>
  new List(
    [item, ...items],
    "interface {}",
    false,
    grownTo(items.length + 1, 1, ITEM_SIZE) - items.length - 1,
  );
const nothing = (): List => new List([], "interface {}", true);
const holds = (items: readonly Value[], value: Value, { budget }: Call): boolean =>
  items.some((item) => deepEqual(value, item, budget));

const OUT_OF_RANGE = "runtime error: makeslice: len out of range";

/** Lists of so many items each. Sizes below one are refused where Go's reckoning ends in a length below zero. */
function chunked(size: number, items: readonly Value[], { budget }: Call): List {
  const chunks = Math.floor((items.length - 1) / size) + 1;
  if (!Number.isFinite(chunks) || chunks < 0) throw new FunctionFault(OUT_OF_RANGE);
  budget.items(chunks);
  const rest = items.length % size;
  const lists = Array.from({ length: chunks }, (_, index) => {
    const length = index === chunks - 1 && rest !== 0 ? rest : size;
    if (length < 0) throw new FunctionFault(OUT_OF_RANGE);
    return new List(items.slice(index * size, index * size + length));
  });
  return new List(lists, "[]interface {}");
}

function sliced(list: Value, indices: readonly Value[], call: Call): Value {
  const items = itemsOf(list, "slice", call);
  if (!(list instanceof List) || items.length === 0) return null;
  const [from = new Int(0), to = new Int(items.length)] = indices;
  const [start, end] = [Number(toInteger(from)), Number(toInteger(to))];
  if (start < 0 || end < start || end > list.capacity)
    throw new FunctionFault(`reflect.Value.Slice: slice index out of bounds`);
  call.budget.items(list.capacity);
  return list.slice(start, end);
}

/** Sorted text. Of a list of text it is that list itself which is sorted, as in Go. */
function sortedTexts(value: Value, call: Call): List {
  if (!(value instanceof List)) return textList([textFrom(value, call)]);
  const texts = textsOf(value, call);
  if (value.of !== "string")
    return new List([...texts].sort(byteOrder), "string", false, value.items.length - texts.length);
  value.sort();
  return value;
}

const list = variadic([], "interface {}", (values, { budget }) => {
  budget.items(values.length);
  return new List(values);
});
const append = fixed(["interface {}", "interface {}"], ([items, item], call) =>
  grown(itemsOf(items, "push on", call), item),
);

/** Functions on lists. */
export const lists: Functions = {
  list,
  tuple: list,
  ...alsoMust("append", append),
  ...alsoMust("push", append),
  ...alsoMust(
    "prepend",
    fixed(["interface {}", "interface {}"], ([items, item], call) =>
      prepended(item, itemsOf(items, "prepend on", call)),
    ),
  ),
  ...alsoMust(
    "first",
    fixed(["interface {}"], ([value], call) => itemsOf(value, "find first on", call)[0] ?? null),
  ),
  ...alsoMust(
    "last",
    fixed(["interface {}"], ([value], call) => itemsOf(value, "find last on", call).at(-1) ?? null),
  ),
  ...alsoMust(
    "rest",
    fixed(["interface {}"], ([value], call) => {
      const items = itemsOf(value, "find rest on", call);
      return items.length === 0 ? nothing() : new List(items.slice(1));
    }),
  ),
  ...alsoMust(
    "initial",
    fixed(["interface {}"], ([value], call) => {
      const items = itemsOf(value, "find initial on", call);
      return items.length === 0 ? nothing() : new List(items.slice(0, -1));
    }),
  ),
  ...alsoMust(
    "reverse",
    fixed(
      ["interface {}"],
      ([value], call) => new List(itemsOf(value, "find reverse on", call).toReversed()),
    ),
  ),
  ...alsoMust(
    "compact",
    fixed(["interface {}"], ([value], call) =>
      List.appended(itemsOf(value, "compact on", call).filter((item) => !isEmpty(item))),
    ),
  ),
  ...alsoMust(
    "uniq",
    fixed(["interface {}"], ([value], call) => {
      const found: Value[] = [];
      for (const item of itemsOf(value, "find uniq on", call))
        if (!holds(found, item, call)) found.push(item);
      return List.appended(found);
    }),
  ),
  ...alsoMust(
    "without",
    variadic(["interface {}"], "interface {}", ([value, ...omitted], call) =>
      List.appended(itemsOf(value, "find without on", call).filter((item) => !holds(omitted, item, call))),
    ),
  ),
  ...alsoMust(
    "has",
    fixed(["interface {}", "interface {}"], ([needle, value], call) =>
      value === undefined || value === null
        ? false
        : holds(itemsOf(value, "find has on", call), needle, call),
    ),
  ),
  ...alsoMust(
    "slice",
    variadic(["interface {}"], "interface {}", ([value, ...indices], call) => sliced(value, indices, call)),
  ),
  ...alsoMust(
    "chunk",
    fixed(["int", "interface {}"], ([size, value], call) =>
      chunked(Number(size.value), itemsOf(value, "chunk", call), call),
    ),
  ),
  concat: variadic([], "interface {}", (values, call) => {
    const items = values.flatMap((value) => {
      if (!(value instanceof List)) throw new FunctionFault(`Cannot concat type ${kindOf(value)} as list`);
      return itemsOf(value, "concat", call);
    });
    // Go appends to a nil slice.
    return List.appended(items, "interface {}", items.length === 0);
  }),
  sortAlpha: fixed(["interface {}"], ([value], call) => sortedTexts(value, call)),
};
