/** Reads JSON; undefined where the text is none. Why it is none is not told: a parser's words quote what may be secret. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
