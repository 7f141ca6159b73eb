/** Runes of all warnings of one answer; where there would be more, each is cut, and what is beyond is left out. */
const MOST_RUNES = 4_096;
const CUT_RUNES = 256;

/**
 * The `warning` header of an answer, as apiserver's recorder writes it (pkg/endpoints/filters/warning.go): each text once, none that
 * holds control characters, none without end. Undefined where none is left.
 */
export function warningHeader(texts: readonly string[]): string | undefined {
  const runes = [...new Set(texts)].filter(isSendable).map((text) => [...text]);
  const isLong = runes.reduce((sum, { length }) => sum + length, 0) > MOST_RUNES;
  const told: string[] = [];
  let written = 0;
  for (const text of runes) {
    if (written >= MOST_RUNES) break;
    const part = isLong ? text.slice(0, CUT_RUNES) : text;
    written += part.length;
    told.push(`299 - "${part.join("").replace(/["\\]/g, "\\$&")}"`);
  }
  // A header is bytes: those of UTF-8 go out one by one.
  return told.length === 0 ? undefined : Buffer.from(told.join(", ")).toString("latin1");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const isSendable = (text: string): boolean => text !== "" && !/[\u0000-\u001f\u007f]/.test(text);
