import type { Dependency, Operator } from "../decide/coordination/dependency.ts";
import type { Task, TaskGraph } from "../decide/graph/index.ts";

type Word = "True" | "False" | "Unknown";

/** A ClusterOperator that is done unless something else is said. */
export function operator(
  name: string,
  versions: Readonly<Record<string, string>>,
  {
    available = "True",
    progressing = "False",
    degraded = "False",
    uid = "u1",
    resourceVersion = "1",
  }: {
    readonly available?: Word;
    readonly progressing?: Word;
    readonly degraded?: Word;
    readonly uid?: string;
    readonly resourceVersion?: string;
  } = {},
): Operator {
  return {
    metadata: { name, uid, resourceVersion },
    status: {
      conditions: [
        { type: "Available", status: available },
        { type: "Progressing", status: progressing },
        { type: "Degraded", status: degraded },
      ],
      versions: Object.entries(versions).map(([entry, version]) => ({ name: entry, version })),
    },
  };
}

export const waitFor = (consumer: string, name: string, more: Partial<Dependency> = {}): Dependency => ({
  consumer,
  operator: name,
  version: "1.14.0",
  ...more,
});

const gate = (name: string): Task => ({
  index: 1,
  total: 1,
  manifest: {
    folder: "release-manifests",
    file: "0000_20_a_1.yaml",
    document: 1,
    group: "config.openshift.io",
    version: "v1",
    kind: "ClusterOperator",
    namespace: "",
    name,
    object: { apiVersion: "config.openshift.io/v1", kind: "ClusterOperator", metadata: { name } },
    raw: "",
  },
});

/** A graph of steps, one after the other; each holds nodes side by side, each of gates in order. */
export function steps(...levels: readonly (readonly (readonly string[])[])[]): TaskGraph {
  const nodes: { in: number[]; tasks: Task[]; out: number[] }[] = [];
  let before: readonly number[] = [];
  for (const level of levels) {
    const here = level.map((names, index) => {
      const position = nodes.length + index;
      for (const one of before) nodes[one]?.out.push(position);
      return { in: [...before], tasks: names.map(gate), out: [] };
    });
    const first = nodes.length;
    nodes.push(...here);
    before = here.map((_, index) => first + index);
  }
  return { nodes };
}
