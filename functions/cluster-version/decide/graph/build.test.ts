import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "vitest";
import { drawn, predecessors, tasksFrom } from "../../test/tasks.ts";
import { buildGraph, workersOf } from "./build.ts";
import type { TaskGraph } from "./graph.ts";
import { isJob, type Mode, type Task, taskLabel, tasksOf } from "./task.ts";

const updating = (...files: string[]) => drawn(buildGraph(tasksFrom(...files), "Updating"));
const initializing = (...files: string[]) => drawn(buildGraph(tasksFrom(...files), "Initializing"));

describe("an update", () => {
  test("goes level by level, with the components of one level side by side", () => {
    assert.deepEqual(updating("0000_10_a_1", "0000_20_a_1", "0000_20_a_2", "0000_20_b_1", "0000_30_c_1"), [
      "0: -",
      "1: 0000_10_a_1 after 0",
      "2: 0000_20_a_1 0000_20_a_2 after 1",
      "3: 0000_20_b_1 after 1",
      "4: 0000_30_c_1 after 2 3",
    ]);
  });

  test("joins levels of several components by an empty node", () => {
    assert.deepEqual(updating("0000_10_a_1", "0000_10_b_1", "0000_20_a_1", "0000_20_b_1"), [
      "0: -",
      "1: 0000_10_a_1 after 0",
      "2: 0000_10_b_1 after 0",
      "3: - after 1 2",
      "4: 0000_20_a_1 after 3",
      "5: 0000_20_b_1 after 3",
    ]);
  });

  test("keeps levels of one component, and files of other names, in one node", () => {
    assert.deepEqual(
      updating(
        "0000_07_a_1",
        "0000_08_a_1",
        "free",
        "0000_09_a_1",
        "0000_09_b_1",
        "0000_10_a_1",
        "0000_11_a_1",
      ),
      [
        "0: -",
        "1: 0000_07_a_1 0000_08_a_1 free after 0",
        "2: 0000_09_a_1 after 1",
        "3: 0000_09_b_1 after 1",
        "4: 0000_10_a_1 0000_11_a_1 after 2 3",
      ],
    );
  });

  test("compares levels as they are written", () => {
    assert.deepEqual(updating("0000_5_a_1", "0000_05_b_1"), ["0: 0000_5_a_1 0000_05_b_1"]);
  });

  test("does not sort: a component that comes back is a chunk of its own", () => {
    assert.deepEqual(updating("0000_10_a_1", "0000_10_b_1", "0000_10_a_2"), [
      "0: -",
      "1: 0000_10_a_1 after 0",
      "2: 0000_10_b_1 after 0",
      "3: 0000_10_a_2 after 0",
    ]);
  });
});

test("scenario 11: files a, 0000_01_x_f, c are one serial node when updating, three nodes when flattened", () => {
  assert.deepEqual(updating("a", "0000_01_x_f", "c"), ["0: a 0000_01_x_f c"]);
  assert.deepEqual(initializing("a", "0000_01_x_f", "c"), [
    "0: -",
    "1: a after 0",
    "2: 0000_01_x_f after 0",
    "3: c after 0",
  ]);
});

test("scenario 10: a Job divides what comes before it from what comes after", () => {
  const files = [
    "0000_10_a_1",
    "0000_10_a_2",
    "0000_10_a_job",
    "0000_10_b_1",
    "0000_20_b_job",
    "0000_20_c_1",
  ];
  for (const mode of ["Updating", "Initializing", "Reconciling"] as const) {
    const tasks = tasksFrom(...files);
    const before = predecessors(buildGraph(tasks, mode));
    assert.deepEqual(
      tasks.map(({ index }) => [...(before.get(index) ?? [])].sort((a, b) => a - b)),
      [[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]],
      mode,
    );
  }
});

test("a graph of no task or one is one node", () => {
  assert.deepEqual(updating(), ["0: -"]);
  assert.deepEqual(initializing("0000_10_a_1"), ["0: 0000_10_a_1"]);
});

test("a component's name is letters and digits between single dashes", () => {
  const places = tasksFrom(
    "0000_10_a-b-c_x",
    "0000_10_a--b_x",
    "0000_10_-a_x",
    "0000_10_a",
    "0001_10_a_x",
    "0000_007_A1_x",
  ).map(({ level, component }) => [level, component]);
  assert.deepEqual(places, [
    ["10", "a-b-c"],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
    ["007", "A1"],
  ]);
});

test("a task is named by its object and its place", () => {
  const [task] = tasksFrom("0000_10_a_1", "0000_20_a_1").slice(1);
  assert.equal(task && taskLabel(task), 'configmap "demo/0000_20_a_1" (2 of 2)');
  const [cluster] = tasksFrom("0000_10_a_1").map(({ manifest }) => ({
    ...manifest,
    kind: "ClusterOperator",
    namespace: "",
  }));
  const [named] = tasksOf(cluster ? [cluster] : []);
  assert.equal(named && taskLabel(named), 'clusteroperator "0000_10_a_1" (1 of 1)');
});

describe("reconciling", () => {
  const tasks = tasksFrom(...Array.from({ length: 40 }, (_, n) => `0000_50_c${n}_x`));
  const orderOf = (attempt: number) =>
    buildGraph(tasks, "Reconciling", attempt).nodes.flatMap((node) => node.tasks.map(({ index }) => index));

  test("is the same for the same attempt and another for the next", () => {
    assert.deepEqual(orderOf(3), orderOf(3));
    assert.notDeepEqual(orderOf(3), orderOf(4));
    assert.notDeepEqual(orderOf(3), orderOf(11));
  });

  test("begins somewhere else in each of eight attempts, so that together they cover the payload", () => {
    for (const round of [0, 5]) {
      const heads = Array.from({ length: 8 }, (_, step) => orderOf(round * 8 + step).slice(0, 5));
      assert.equal(new Set(heads.flat()).size, 40);
    }
  });

  test("turns a short list by one a time", () => {
    const few = tasksFrom("0000_50_a_x", "0000_50_b_x", "0000_50_c_x");
    const first = Array.from(
      { length: 8 },
      (_, attempt) => buildGraph(few, "Reconciling", attempt).nodes.flatMap((node) => node.tasks)[0],
    ).map((task) => task?.index ?? 0);
    assert.equal(new Set(first.slice(0, 3)).size, 3);
    assert.deepEqual(
      first,
      Array.from({ length: 8 }, (_, n) => first[n % 3]),
    );
  });
});

test("workers: 16 for an update, 2 for reconciling, as many as nodes for an installation", () => {
  const graph = buildGraph(tasksFrom("0000_50_a_x", "0000_50_b_x"), "Initializing");
  const modes: readonly Mode[] = ["Updating", "Reconciling", "Initializing"];
  assert.deepEqual(
    modes.map((mode) => workersOf(mode, graph)),
    [16, 2, 3],
  );
});

describe("whatever the payload", () => {
  const file = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.constantFrom("00", "10", "20"), fc.constantFrom("a", "b"), fc.nat(9))
        .map(([level, component, n]) => `0000_${level}_${component}_${n}`),
    },
    { weight: 1, arbitrary: fc.constantFrom("free", "0000_10", "0000_10_a_job", "job") },
  );
  const files = fc.array(file, { maxLength: 14 });

  /** Written down from the rules, without a graph: may these two overlap? */
  const apart = (tasks: readonly Task[], mode: Mode, from: number, to: number): boolean => {
    const span = tasks.slice(from, to + 1);
    if (span.some(isJob)) return false;
    const [first] = span;
    const changes = span.some((task) => task.component !== first?.component || task.level !== first?.level);
    if (mode !== "Updating") return changes || first?.level === undefined;
    return changes && first?.level !== undefined && span.every((task) => task.level === first.level);
  };

  for (const mode of ["Updating", "Initializing", "Reconciling"] as const)
    test(`two tasks overlap exactly where the rules let them (${mode})`, () => {
      fc.assert(
        fc.property(files, fc.nat(30), (names, attempt) => {
          const tasks = tasksFrom(...names);
          const graph = buildGraph(tasks, mode, attempt);
          consistent(graph);
          const before = predecessors(graph);
          assert.deepEqual(
            [...before.keys()].sort((a, b) => a - b),
            tasks.map(({ index }) => index),
          );
          for (const [to, later] of tasks.entries())
            for (const [from, earlier] of tasks.slice(0, to).entries()) {
              assert.equal(
                before.get(later.index)?.has(earlier.index),
                !apart(tasks, mode, from, to),
                `${from} before ${to}`,
              );
              assert.equal(before.get(earlier.index)?.has(later.index), false);
            }
        }),
        { numRuns: 300 },
      );
    });

  const consistent = ({ nodes }: TaskGraph): void => {
    for (const [position, node] of nodes.entries()) {
      for (const next of node.out) assert(nodes[next]?.in.includes(position));
      for (const previous of node.in) assert(nodes[previous]?.out.includes(position));
      assert.equal(new Set(node.in).size, node.in.length);
    }
  };
});
