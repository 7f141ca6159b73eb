/** A line of a tree, and the lines below it. */
export interface Branch {
  readonly text: string;
  readonly below?: readonly Branch[];
}

/** A tree as upstream draws it: with lines of Unicode, below a root. */
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
