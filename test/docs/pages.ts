import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** Every page of the documentation, relative to the root. */
export const pages = (): readonly string[] =>
  globSync(["*.md", "docs/**/*.md", "functions/**/*.md", "examples/**/*.md"], { cwd: root }).sort();

export const textOf = (page: string): string => readFileSync(join(root, page), "utf8");

/** The fenced blocks of a page, in their order. */
export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { readonly line: number; readonly language: string; readonly lines: string[] } | undefined;
  for (const [index, line] of textOf(page).split("\n").entries()) {
    const fence = /^```(\w*)$/.exec(line);
    if (fence === null) open?.lines.push(line);
    else if (open === undefined) open = { line: index + 1, language: fence[1] ?? "", lines: [] };
    else {
      blocks.push({ page, line: open.line, language: open.language, text: `${open.lines.join("\n")}\n` });
      open = undefined;
    }
  }
  return blocks;
}

/** The rows of the table whose header begins with these cells; cells as they stand. */
export function tableOf(page: string, ...header: readonly string[]): readonly (readonly string[])[] {
  const lines = textOf(page).split("\n");
  const cells = (line: string): string[] =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
  const rows: string[][] = [];
  let inside = false;
  for (const line of lines) {
    if (!line.startsWith("|")) inside = false;
    else if (inside) rows.push(cells(line));
    else inside = header.every((cell, index) => cells(line)[index] === cell);
  }
  return rows.filter(([first]) => !/^-+$/.test(first ?? ""));
}
