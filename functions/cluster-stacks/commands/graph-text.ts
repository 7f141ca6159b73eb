import { type Branch, treeText } from "../../../shared/text.ts";
import type { GraphNode, NodeState } from "./graph.ts";

const labelOf = ({ kind, name }: GraphNode): string => `${kind} ${name}`;
const stateOf = ({ state, says }: GraphNode): string =>
  [state === "unknown" ? "" : state, says ?? ""].filter((text) => text !== "").join(": ");

/** The graph as a tree of text. */
export function graphText(root: GraphNode): string {
  const lineOf = (node: GraphNode): string => {
    const state = stateOf(node);
    return state === "" ? labelOf(node) : `${labelOf(node)} [${state}]`;
  };
  const branchOf = (node: GraphNode): Branch => ({ text: lineOf(node), below: node.below.map(branchOf) });
  return treeText(root.below.map(branchOf), lineOf(root));
}

const COLOURS: Readonly<Record<NodeState, string>> = {
  ready: "#d7f0d9",
  waiting: "#fbe7b8",
  unknown: "#eeeeee",
};

/** A node with a number, and the number of the node above it. */
interface Numbered {
  readonly node: GraphNode;
  readonly id: number;
  readonly above: number | undefined;
  readonly level: number;
}

function numbered(root: GraphNode): readonly Numbered[] {
  const found: Numbered[] = [];
  const visit = (node: GraphNode, above: number | undefined, level: number): void => {
    const id = found.length;
    found.push({ node, id, above, level });
    for (const one of node.below) visit(one, id, level + 1);
  };
  visit(root, undefined, 0);
  return found;
}

/** The graph in the language of Graphviz. */
export function graphDot(root: GraphNode): string {
  const quoted = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  const lines = numbered(root).flatMap(({ node, id, above }) => {
    const label = [node.kind, node.name, stateOf(node)].filter((text) => text !== "").map(quoted);
    const text = label.map((one) => one.slice(1, -1)).join("\\n");
    return [
      `  n${id} [label="${text}", fillcolor="${COLOURS[node.state]}"];`,
      ...(above === undefined ? [] : [`  n${above} -> n${id};`]),
    ];
  });
  return [
    "digraph stack {",
    "  rankdir=LR;",
    '  node [shape=box, style="rounded,filled"];',
    ...lines,
    "}",
  ].join("\n");
}

const [BOX, GAP, HEIGHT, ROW, MARGIN] = [250, 50, 52, 68, 16];
/** More characters do not fit in a box. */
const MOST_CHARACTERS = 38;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const cut = (text: string): string =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;

/** The graph as a picture: a column for each step from the stack to the addons. */
export function graphSvg(root: GraphNode): string {
  const nodes = numbered(root);
  // A node stands beside the first that follows from it; leaves have a row each.
  const rows = new Map<number, number>();
  let leaves = 0;
  for (const { node, id } of nodes.toReversed())
    if (node.below.length === 0) rows.set(id, leaves++);
    else {
      const below = nodes.filter(({ above }) => above === id).map((one) => rows.get(one.id) ?? 0);
      rows.set(id, Math.max(...below));
    }
  const x = ({ level }: Numbered): number => MARGIN + level * (BOX + GAP);
  const y = ({ id }: Numbered): number => MARGIN + (leaves - 1 - (rows.get(id) ?? 0)) * ROW;
  const parts = nodes.flatMap((one) => {
    const { node, above } = one;
    const from = above === undefined ? undefined : nodes[above];
    const line =
      from === undefined
        ? []
        : [
            `<path d="M${x(from) + BOX} ${y(from) + HEIGHT / 2} L${x(one)} ${y(one) + HEIGHT / 2}" stroke="#777" fill="none"/>`,
          ];
    const title = escaped([labelOf(node), stateOf(node)].filter((text) => text !== "").join(": "));
    return [
      ...line,
      `<g><title>${title}</title><rect x="${x(one)}" y="${y(one)}" width="${BOX}" height="${HEIGHT}" rx="6" fill="${COLOURS[node.state]}" stroke="#777"/>`,
      `<text x="${x(one) + 8}" y="${y(one) + 16}" font-size="11" fill="#555">${escaped(cut(node.kind))}</text>`,
      `<text x="${x(one) + 8}" y="${y(one) + 31}" font-size="12">${escaped(cut(node.name))}</text>`,
      `<text x="${x(one) + 8}" y="${y(one) + 45}" font-size="11" fill="#555">${escaped(cut(stateOf(node)))}</text></g>`,
    ];
  });
  const levels = Math.max(...nodes.map(({ level }) => level)) + 1;
  const width = 2 * MARGIN + levels * BOX + (levels - 1) * GAP;
  const height = 2 * MARGIN + (leaves - 1) * ROW + HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif">`,
    ...parts,
    "</svg>",
  ].join("\n");
}
