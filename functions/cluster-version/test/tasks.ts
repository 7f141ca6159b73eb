import type { TaskGraph } from "../decide/graph/graph.ts";
import { type Task, tasksOf } from "../decide/graph/task.ts";
import type { Manifest } from "../decide/payload/payload.ts";

/** Tasks from file names; those whose name holds `job` are Jobs. */
export const tasksFrom = (...files: readonly string[]): readonly Task[] =>
  tasksOf(
    files.map((file): Manifest => {
      const [apiVersion, kind] = file.includes("job")
        ? (["batch/v1", "Job"] as const)
        : (["v1", "ConfigMap"] as const);
      const metadata = { name: file, namespace: "demo" };
      return {
        folder: "release-manifests",
        file,
        document: 1,
        group: apiVersion === "v1" ? "" : "batch",
        version: "v1",
        kind,
        ...metadata,
        object: { apiVersion, kind, metadata },
        raw: "{}",
      };
    }),
  );

/** A graph as lines of `<position>: <files> after <positions>`. */
export const drawn = (graph: TaskGraph): readonly string[] =>
  graph.nodes.map(
    (node, position) =>
      `${position}: ${node.tasks.map(({ manifest }) => manifest.file).join(" ") || "-"}${node.in.length > 0 ? ` after ${node.in.join(" ")}` : ""}`,
  );

/** The tasks that must be done before each, by index. */
export function predecessors(graph: TaskGraph): ReadonlyMap<number, ReadonlySet<number>> {
  const before = new Map<number, Set<number>>();
  const nodeBefore = new Map<number, ReadonlySet<number>>();
  const of = (position: number): ReadonlySet<number> => {
    const known = nodeBefore.get(position);
    if (known !== undefined) return known;
    const found = new Set(
      (graph.nodes[position]?.in ?? []).flatMap((one) => [
        ...of(one),
        ...(graph.nodes[one]?.tasks ?? []).map(({ index }) => index),
      ]),
    );
    nodeBefore.set(position, found);
    return found;
  };
  for (const [position, node] of graph.nodes.entries())
    for (const [at, task] of node.tasks.entries())
      before.set(
        task.index,
        new Set([...of(position), ...node.tasks.slice(0, at).map(({ index }) => index)]),
      );
  return before;
}
