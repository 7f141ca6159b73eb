import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "vitest";
import { predecessors, tasksFrom } from "../../test/tasks.ts";
import { buildGraph, workersOf } from "./build.ts";
import type { Progress, TaskGraph } from "./graph.ts";
import { incompleteText, isComplete, nodeStates, runnable } from "./schedule.ts";
import type { Mode, Task } from "./task.ts";

/** Applies a payload as a pass does, a task of each started node at a time; gives back what was tried together, step by step. */
function pass(graph: TaskGraph, workers: number, fails: (file: string) => boolean) {
  const done = new Set<number>();
  const failed = new Set<number>();
  const steps: string[][] = [];
  const progress: Progress = { done, failed };
  for (;;) {
    const tried = runnable(graph, progress, workers).flatMap(({ tasks }) => tasks.slice(0, 1));
    if (tried.length === 0) return { steps, progress };
    for (const { index, manifest } of tried) (fails(manifest.file) ? failed : done).add(index);
    steps.push(tried.map(({ manifest }) => manifest.file));
  }
}

/** This pass has nothing more to start: all is done, or the rest failed or waits for a task that failed. */
const isSettled = (graph: TaskGraph, progress: Progress): boolean =>
  nodeStates(graph, progress).every((state) => state !== "ready" && state !== "running");

const graphOf = (mode: Mode, ...files: string[]) => buildGraph(tasksFrom(...files), mode);

describe("scenario 8: an update of levels 10, 20 and 30", () => {
  const graph = graphOf("Updating", "0000_10_a_f", "0000_20_a_f", "0000_20_b_f", "0000_30_c_f");

  test("finishes 10 before it starts 20, whose components overlap", () => {
    const { steps, progress } = pass(graph, 16, () => false);
    assert.deepEqual(steps, [["0000_10_a_f"], ["0000_20_a_f", "0000_20_b_f"], ["0000_30_c_f"]]);
    assert(isComplete(graph, progress));
  });

  test("after an error in 20_a still finishes 20_b, and never starts 30_c", () => {
    const { steps, progress } = pass(graph, 16, (file) => file === "0000_20_a_f");
    assert.deepEqual(steps, [["0000_10_a_f"], ["0000_20_a_f", "0000_20_b_f"]]);
    assert.deepEqual([...progress.done].sort(), [1, 3]);
    assert(isSettled(graph, progress));
    assert(!isComplete(graph, progress));
  });
});

test("scenario 9: the same payload installed starts all at once; two errors leave one done", () => {
  const graph = graphOf("Initializing", "0000_10_a_f", "0000_20_a_f", "0000_20_b_f");
  const { steps, progress } = pass(graph, workersOf("Initializing", graph), (file) => file !== "0000_20_a_f");
  assert.deepEqual(steps, [["0000_10_a_f", "0000_20_a_f", "0000_20_b_f"]]);
  assert.equal(progress.done.size, 1);
});

describe("scenario 10: a Job in the middle", () => {
  const files = ["0000_10_a_1", "0000_10_b_1", "0000_20_a_job", "0000_30_a_1", "0000_30_b_1"];
  for (const mode of ["Updating", "Initializing", "Reconciling"] as const) {
    test(`nothing after it starts before it is done (${mode})`, () => {
      const { steps } = pass(graphOf(mode, ...files), 16, () => false);
      assert.deepEqual(
        steps.map((step) => step.toSorted()),
        [files.slice(0, 2), ["0000_20_a_job"], files.slice(3)],
      );
    });

    test(`where it fails, what depends on it stays (${mode})`, () => {
      const { steps } = pass(graphOf(mode, ...files), 16, (file) => file.endsWith("job"));
      assert.deepEqual(steps.at(-1), ["0000_20_a_job"]);
    });
  }
});

test("a node stops at the task that failed", () => {
  const graph = graphOf("Updating", "0000_10_a_1", "0000_10_a_2", "0000_10_a_3");
  const { steps, progress } = pass(graph, 16, (file) => file === "0000_10_a_2");
  assert.deepEqual(steps, [["0000_10_a_1"], ["0000_10_a_2"]]);
  assert.deepEqual(nodeStates(graph, progress), ["failed"]);
});

test("a later pass goes on where the node stopped", () => {
  const graph = graphOf("Updating", "0000_10_a_1", "0000_10_a_2", "0000_10_a_3");
  const next = runnable(graph, { done: new Set([1]), failed: new Set() }, 16);
  assert.deepEqual(
    next.map(({ node, tasks }) => [node, tasks.map(({ index }) => index)]),
    [[0, [2, 3]]],
  );
});

test("a task that was done under another order lets nothing start before its turn", () => {
  const graph = graphOf("Updating", "0000_10_a_1", "0000_20_a_1", "0000_20_b_1", "0000_30_a_1");
  const started = runnable(graph, { done: new Set([2, 3]), failed: new Set() }, 16);
  assert.deepEqual(
    started.flatMap(({ tasks }) => tasks.map(({ index }) => index)),
    [1],
  );
});

test("running nodes take up workers and are not started twice", () => {
  const graph = graphOf("Initializing", "0000_10_a_1", "0000_20_b_1", "0000_30_c_1");
  const progress: Progress = { done: new Set(), failed: new Set(), running: new Set([1]) };
  assert.deepEqual(
    runnable(graph, progress, 2).map(({ node }) => node),
    [2],
  );
  assert(!isSettled(graph, { ...progress, done: new Set([2, 3]) }));
});

describe("a pass that was stopped", () => {
  const graph = graphOf("Updating", "0000_10_a_1", "0000_10_b_1", "0000_20_a_1", "0000_20_b_1");
  test("tells how many nodes are left and what comes first, the empty ones counted", () => {
    assert.equal(
      incompleteText(graph, { done: new Set([1]), failed: new Set() }),
      '4 incomplete task nodes, beginning with configmap "demo/0000_10_b_1" (2 of 4)',
    );
  });
  test("tells nothing where all is done or something failed", () => {
    assert.equal(incompleteText(graph, { done: new Set([1, 2, 3, 4]), failed: new Set() }), undefined);
    assert.equal(incompleteText(graph, { done: new Set([1]), failed: new Set([2]) }), undefined);
  });
});

describe("whatever the payload and whatever fails", () => {
  const place = fc.tuple(fc.constantFrom("10", "20", "30"), fc.constantFrom("a", "b", "job"));
  const files = fc
    .array(place, { maxLength: 16 })
    .map((places) => places.map(([level, component], n) => `0000_${level}_${component}_${n}`));
  const modes = fc.constantFrom<Mode>("Updating", "Initializing", "Reconciling");

  test("a task is tried once, after all that it depends on was done, and only dependants of a failure are left", () => {
    fc.assert(
      fc.property(
        files,
        modes,
        fc.integer({ min: 1, max: 20 }),
        fc.func(fc.boolean()),
        (names, mode, workers, coin) => {
          const graph = buildGraph(tasksFrom(...names), mode);
          const { steps, progress } = pass(graph, workers, (file) => coin(file));
          const tasks = graph.nodes.flatMap((node): readonly Task[] => node.tasks);
          const before = predecessors(graph);
          const indexOf = new Map(tasks.map(({ manifest, index }) => [manifest.file, index]));
          const over = new Set<number>();
          for (const step of steps) {
            assert(step.length <= workers);
            const indices = step.map((file) => indexOf.get(file) ?? 0);
            for (const index of indices) {
              assert([...(before.get(index) ?? [])].every((one) => over.has(one) && progress.done.has(one)));
              assert(!over.has(index));
            }
            for (const index of indices) over.add(index);
          }
          for (const { index } of tasks)
            assert.equal(
              over.has(index),
              [...(before.get(index) ?? [])].every((one) => progress.done.has(one)),
            );
          assert(isSettled(graph, progress));
          assert.equal(isComplete(graph, progress), progress.failed.size === 0);
          assert.equal(incompleteText(graph, progress), undefined);
        },
      ),
      { numRuns: 300 },
    );
  });
});
