/** What a page should take, in characters of JSON: it is held as text and as objects at once. */
const AIM = 2 * 1024 * 1024;
/** What a page may take: beyond, fewer objects are asked for. */
const MOST = 8 * 1024 * 1024;
const FIRST = 20;

/**
 * How many objects the next page of a list is asked for: few at first, since nobody knows how large they are, then as many as an
 * answer should hold by what came before.
 */
export class PageSize {
  #limit: number;
  readonly #most: number;

  /** @param metadataOnly such objects are small, whatever anybody writes into the others' fields */
  constructor(most: number, metadataOnly: boolean) {
    this.#most = most;
    this.#limit = metadataOnly ? most : Math.min(most, FIRST);
  }

  get limit(): number {
    return this.#limit;
  }

  /** Of the answer; undefined where it cannot be made smaller by asking for less. */
  get mostBytes(): number | undefined {
    return this.#limit > 1 ? MOST : undefined;
  }

  /** A page came. @param bytes of its JSON; undefined where that is not known */
  came(items: number, bytes: number | undefined): void {
    if (items === 0) return;
    const fit = bytes === undefined ? this.#most : Math.floor(AIM / (bytes / items));
    this.#limit = Math.max(1, Math.min(this.#most, fit));
  }

  /** An answer was too large. False where no smaller one can be asked for. */
  halve(): boolean {
    if (this.#limit === 1) return false;
    this.#limit = Math.ceil(this.#limit / 2);
    return true;
  }
}
