import { isRecord } from "../../json/fields.ts";

/** The names of the fields that tell the items of a list apart, and their values, as a fieldsV1 node `k:{…}` has them. */
export type ItemKey = Readonly<Record<string, unknown>>;

/** The schema of a list gives its items one set of key fields, or few where some may be left out. More is nobody's schema. */
const MOST_SHAPES = 16;

/** Equal for equal JSON values, whatever the order of fields. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "undefined";
  return `{${Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${valueText(value[name])}`)
    .join(",")}}`;
}

const shapeOf = (names: readonly string[]): string =>
  names.length === 1 ? `1${names[0]}` : valueText(names);
const textOf = (values: readonly unknown[]): string =>
  values.length === 1 ? valueText(values[0]) : valueText(values);

/** The items of a list by their values for one set of key fields. */
interface Shape {
  readonly positions: ReadonlyMap<string, readonly number[]>;
  /** The sets of key fields that some item leaves out, none among them where some item has all. */
  readonly lacked: Iterable<readonly string[]>;
}

/**
 * A list, to be asked which of its items has a key: in one look, where comparing key by key takes the square of its length. It is
 * read once for each set of key fields that is asked for.
 */
export class ItemIndex {
  readonly #items: readonly unknown[];
  readonly #shapes = new Map<string, Shape>();
  readonly #defaulted: boolean;
  /** @param defaulted whether an item that leaves key fields out may still be meant, as one that the server fills in */
  constructor(items: readonly unknown[], defaulted = false) {
    this.#items = items;
    this.#defaulted = defaulted;
  }

  /**
   * Positions of the items with this key; undefined where keys of too many shapes are asked for.
   * @param mayLack whether an item that is to be filled in may leave this field of the key out
   */
  find(key: ItemKey, mayLack: (name: string) => boolean = () => false): readonly number[] | undefined {
    const names = Object.keys(key);
    if (names.length > 1) names.sort();
    const shape = this.#of(names);
    if (shape === undefined) return undefined;
    const found: number[] = [];
    for (const lacked of shape.lacked) {
      if (!lacked.every(mayLack)) continue;
      const said = names.map((name) => (lacked.includes(name) ? undefined : key[name]));
      const positions = shape.positions.get(textOf(said));
      if (positions !== undefined) found.push(...positions);
    }
    return found;
  }

  #of(names: readonly string[]): Shape | undefined {
    const name = shapeOf(names);
    const known = this.#shapes.get(name);
    if (known !== undefined) return known;
    if (this.#shapes.size >= MOST_SHAPES || names.length > MOST_SHAPES) return undefined;
    const positions = new Map<string, number[]>();
    const lacked = new Map<string, readonly string[]>();
    for (const [position, item] of this.#items.entries()) {
      if (!isRecord(item)) continue;
      const values = names.map((each) => item[each]);
      const lacks = names.filter((_, at) => values[at] === undefined);
      if (lacks.length > 0 && !this.#defaulted) continue;
      lacked.set(lacks.length === 0 ? "" : shapeOf(lacks), lacks);
      if (lacked.size > MOST_SHAPES) return undefined;
      const text = textOf(values);
      const there = positions.get(text);
      if (there === undefined) positions.set(text, [position]);
      else there.push(position);
    }
    const shape: Shape = { positions, lacked: [...lacked.values()] };
    this.#shapes.set(name, shape);
    return shape;
  }
}
