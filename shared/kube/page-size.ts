/**
 * The least that a value takes, in characters of JSON: `{}` has two of them and takes 64 bytes as an object, so a page is weighed
 * by its values where these take more than their text. Usual objects hold 16 or more a value.
 */
const VALUE = 16;
/** The weight at which a page aims: it is held as text and as objects at once. */
const AIM = 2 * 1024 * 1024;
/** The most that a page may weigh: beyond, fewer objects are asked for. */
const MOST = 8 * 1024 * 1024;
const FIRST = 20;

/** The characters of a JSON text, or what its values take at least where that is more. Commas within texts count: it is an estimate. */
export function weightOf(json: string): number {
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (character === COMMA || character === BRACE || character === BRACKET) values++;
  }
  return Math.max(json.length, values * VALUE);
}
const COMMA = 0x2c;
const BRACE = 0x7b;
const BRACKET = 0x5b;

/**
 * The size of the next page of a list: few objects at first where nobody knows how large they are, then as many as an answer should hold
 * by the pages before.
 */
export class PageSize {
  #limit: number;
  readonly #most: number;

  /**
   * @param metadataOnly such objects are small, whatever anybody writes into the others' fields
   * @param before the limit at which the last list of the kind ended; undefined where there was none
   */
  constructor(most: number, metadataOnly: boolean, before?: number | undefined) {
    this.#most = most;
    this.#limit = metadataOnly ? most : Math.min(most, before ?? FIRST);
  }

  get limit(): number {
    return this.#limit;
  }

  /** The most that the answer may weigh; undefined where fewer objects cannot make it lighter. */
  get mostWeight(): number | undefined {
    return this.#limit > 1 ? MOST : undefined;
  }

  /** A page came. @param weight see `weightOf`; undefined where that is not known */
  came(items: number, weight: number | undefined): void {
    if (items === 0) return;
    const fit = weight === undefined ? this.#most : Math.floor(AIM / (weight / items));
    this.#limit = Math.max(1, Math.min(this.#most, fit));
  }

  /** An answer was too large. False where no smaller one can be asked for. */
  halve(): boolean {
    if (this.#limit === 1) return false;
    this.#limit = Math.ceil(this.#limit / 2);
    return true;
  }
}
