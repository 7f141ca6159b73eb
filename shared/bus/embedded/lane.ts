import type { LoadedKey } from "./key-table.ts";

/** Keys in the order of a number of theirs, which is known as long as they are in it. */
export class Ordered {
  readonly #keys: LoadedKey[] = [];
  readonly #numberOf: (key: LoadedKey) => number;

  /** @param numberOf what orders them first; where it is equal, their place in the lane does */
  constructor(numberOf: (key: LoadedKey) => number) {
    this.#numberOf = numberOf;
  }

  add(key: LoadedKey): void {
    // Mostly the last one.
    this.#keys.splice(this.#placeOf(key), 0, key);
  }

  remove(key: LoadedKey): void {
    const place = this.#placeOf(key);
    if (this.#keys[place]?.seq === key.seq) this.#keys.splice(place, 1);
  }

  get first(): LoadedKey | undefined {
    return this.#keys[0];
  }

  [Symbol.iterator](): Iterator<LoadedKey> {
    return this.#keys[Symbol.iterator]();
  }

  get size(): number {
    return this.#keys.length;
  }

  #placeOf(key: LoadedKey): number {
    let [low, high] = [0, this.#keys.length];
    const last = this.#keys.at(-1);
    if (last !== undefined && this.#compare(last, key) < 0) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#keys[middle];
      if (other !== undefined && this.#compare(other, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(one: LoadedKey, other: LoadedKey): number {
    return this.#numberOf(one) - this.#numberOf(other) || one.seq - other.seq;
  }
}

/** The keys that are ready in one lane, first come first, by function. */
export class Lane {
  readonly #byFunction = new Map<string, Ordered>();

  add(key: LoadedKey): void {
    let keys = this.#byFunction.get(key.function);
    if (keys === undefined) {
      keys = new Ordered(({ seq }) => seq);
      this.#byFunction.set(key.function, keys);
    }
    keys.add(key);
  }

  remove(key: LoadedKey): void {
    const keys = this.#byFunction.get(key.function);
    keys?.remove(key);
    if (keys?.size === 0) this.#byFunction.delete(key.function);
  }

  /** The first keys of the functions that are wanted, without those that are passed over. */
  heads(
    limit: number,
    isWanted: (name: string) => boolean,
    isPassedOver: (key: LoadedKey) => boolean,
  ): LoadedKey[] {
    const heads: LoadedKey[] = [];
    for (const [name, keys] of this.#byFunction) {
      if (!isWanted(name)) continue;
      let left = limit;
      for (const key of keys) {
        if (left === 0) break;
        if (isPassedOver(key)) continue;
        heads.push(key);
        left -= 1;
      }
    }
    return heads.sort((a, b) => a.seq - b.seq).slice(0, limit);
  }
}
