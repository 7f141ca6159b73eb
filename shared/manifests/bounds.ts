/** The most objects and lists within each other: Kubernetes' own kinds have a tenth of them, and what has more overflows the stack of its readers. */
export const MOST_LEVELS = 300;
/** The most characters that repeated anchors may make of a document. */
const MOST_CHARACTERS = 64 * 2 ** 20;

/** The most words and signs of a document: a list of whatever a server stores in one object has fewer. */
export const MOST_WORDS = 300_000;
/** The most of them of a whole text: the densest bundles have some 300,000 a megabyte, definitions a tenth of that. */
export const MOST_WORDS_IN_ALL = 2_000_000;
/** The most keys that merges (`<<`) may copy into a document. */
export const MOST_MERGED = 200_000;

export const TOO_LONG = `it has more than ${MOST_WORDS} words and signs, or the text more than ${MOST_WORDS_IN_ALL}: divide it`;
export const TOO_DEEP = `it has more than ${MOST_LEVELS} objects and lists within each other: write it flatter`;
export const TOO_LARGE = `its aliases make too much of it: write what they stand for less often`;

/** The reason why a value is not taken, in words; undefined: it is. One that stands there several times counts each time. */
export function beyondBounds(value: unknown): string | undefined {
  const open: [value: unknown, level: number][] = [[value, 0]];
  let characters = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [one, level] = next;
    characters += typeof one === "string" ? one.length + 1 : 1;
    if (characters > MOST_CHARACTERS) return TOO_LARGE;
    if (typeof one !== "object" || one === null) continue;
    if (level === MOST_LEVELS) return TOO_DEEP;
    for (const [key, member] of Object.entries(one)) {
      characters += key.length;
      open.push([member, level + 1]);
    }
  }
  return undefined;
}
