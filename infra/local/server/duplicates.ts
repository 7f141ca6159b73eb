interface Level {
  readonly path: string;
  /** Keys seen, of an object; undefined for a list. */
  readonly keys: Set<string> | undefined;
  index: number;
  key: string;
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Fields that stand twice in one object of a valid JSON text, as paths. `JSON.parse` keeps the last one without a word. */
export function duplicateFields(text: string): string[] {
  const found: string[] = [];
  const levels: Level[] = [];
  let expectsKey = false;
  const here = (): string => {
    const level = levels.at(-1);
    if (level === undefined) return "";
    if (level.keys === undefined) return `${level.path}[${level.index}]`;
    return level.path === "" ? level.key : `${level.path}.${level.key}`;
  };
  for (const [piece] of text.matchAll(token)) {
    const level = levels.at(-1);
    if (piece === "{" || piece === "[") {
      levels.push({ path: here(), keys: piece === "{" ? new Set() : undefined, index: 0, key: "" });
      expectsKey = piece === "{";
    } else if (piece === "}" || piece === "]") {
      levels.pop();
      expectsKey = false;
    } else if (piece === ",") {
      if (level !== undefined) level.index++;
      expectsKey = level?.keys !== undefined;
    } else if (piece !== ":" && expectsKey && level?.keys !== undefined) {
      level.key = JSON.parse(piece) as string;
      if (level.keys.has(level.key)) found.push(here());
      level.keys.add(level.key);
      expectsKey = false;
    }
  }
  return [...new Set(found)];
}
