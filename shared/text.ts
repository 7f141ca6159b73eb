/** Columns as kubectl sets them: wide enough, three spaces apart. */
export function table(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = [columns.map((name) => name.toUpperCase()), ...rows.map((row) => row.map(cell))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => (row[index] ?? "").length)));
  return cells
    .map((row) =>
      row
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join("   ")
        .trimEnd(),
    )
    .join("\n");
}
const cell = (value: unknown): string =>
  value === undefined || value === null || value === "" ? "" : String(value).replaceAll("\n", " ");

/** `450ms`, `12s`, `3m`, `5h`, `2d`. */
export function shortTime(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))}ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 120) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)}s`;
  const minutes = seconds / 60;
  if (minutes < 120) return `${Math.round(minutes)}m`;
  const hours = minutes / 60;
  return hours < 48 ? `${Math.round(hours)}h` : `${Math.round(hours / 24)}d`;
}

/** A line of a tree, and the lines below it. */
export interface Branch {
  readonly text: string;
  readonly below?: readonly Branch[];
}

/** A tree in lines of Unicode, below a root. */
export const treeText = (branches: readonly Branch[], root = "."): string =>
  [root, ...linesOf(branches, "")].join("\n");

const linesOf = (branches: readonly Branch[], before: string): readonly string[] =>
  branches.flatMap(({ text, below = [] }, index) => {
    const last = index === branches.length - 1;
    return [
      `${before}${last ? "└──" : "├──"} ${text}`,
      ...linesOf(below, `${before}${last ? "    " : "│   "}`),
    ];
  });
