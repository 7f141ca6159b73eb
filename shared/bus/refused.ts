/** The function under which refused events stand among the dead letters. */
export const REFUSED = "-";
/** The number of characters that are kept of a refused event's text. */
export const KEPT_CHARACTERS = 65_536;
/** The number of refused events that are kept; of more the oldest go. A sender that can cause one can cause any number. */
export const MOST_REFUSED = 500;
/** The number of days for which a refused event is kept. */
export const REFUSED_DAYS = 30;

/** The refused events that are kept where they cannot be counted cheaply: known to this process, oldest first. */
export class KeptRefused {
  readonly #list: () => Promise<readonly { readonly key: string; readonly at: string }[]>;
  #keys: Promise<Set<string>> | undefined;

  /** @param list those that stand there already */
  constructor(list: () => Promise<readonly { readonly key: string; readonly at: string }[]>) {
    this.#list = list;
  }

  /** Notes one more, and gives the keys of those that have to go for it. */
  async add(key: string): Promise<readonly string[]> {
    this.#keys ??= this.#list()
      .then((known) => new Set(known.toSorted((a, b) => (a.at < b.at ? -1 : 1)).map((one) => one.key)))
      .catch((thrown: unknown) => {
        this.#keys = undefined;
        throw thrown;
      });
    const keys = await this.#keys;
    keys.delete(key);
    keys.add(key);
    const surplus = [...keys].slice(0, Math.max(0, keys.size - MOST_REFUSED));
    for (const one of surplus) keys.delete(one);
    return surplus;
  }
}
