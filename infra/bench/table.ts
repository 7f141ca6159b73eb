import type { Figure } from "./measure.ts";

const HEAD = ["budget", "measured", "limit in the same run", "ratio", "ok"] as const;

/** The figures as a table of Markdown. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ budget, measured, limit, ratio, ok }) => [
    budget,
    measured,
    limit ?? "",
    ratio === undefined ? "" : `${ratio.toFixed(2)}×`,
    ok ? "yes" : "NO",
  ]);
  const widths = HEAD.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(HEAD), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
