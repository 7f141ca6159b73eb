import { attemptOrder } from "./attempt-order.ts";
import { type Bucket, flatBuckets, orderedBuckets } from "./buckets.ts";
import type { TaskGraph } from "./graph.ts";
import { isJob, type Mode, type Task } from "./task.ts";

interface Draft {
  in: number[];
  tasks: readonly Task[];
  out: number[];
}

type Drafts = Draft[];

function add(drafts: Drafts, draft: Draft): number {
  drafts.push(draft);
  return drafts.length - 1;
}

function nodeAt(drafts: Drafts, position: number): Draft {
  const draft = drafts[position];
  if (draft === undefined) throw new RangeError(`the graph has no node ${position}`);
  return draft;
}

/** Turns the edges of some nodes from one neighbour to another. */
function turn(
  drafts: Drafts,
  positions: readonly number[],
  side: "in" | "out",
  from: number,
  to: number,
): void {
  for (const position of positions) {
    const draft = nodeAt(drafts, position);
    draft[side] = draft[side].map((neighbour) => (neighbour === from ? to : neighbour));
  }
}

/** A Job that is not alone in its node gets a node of its own, between what comes before and after it. */
function splitOnJobs(drafts: Drafts): void {
  // The list grows while it is walked: the part after a Job may hold another one.
  for (let at = 0; at < drafts.length; at++) {
    const draft = nodeAt(drafts, at);
    const job = draft.tasks.findIndex(isJob);
    if (job < 0 || draft.tasks.length < 2) continue;
    const before = draft.tasks.slice(0, job);
    const after = draft.tasks.slice(job + 1);
    draft.tasks = draft.tasks.slice(job, job + 1);
    if (before.length > 0) {
      const left = add(drafts, { in: draft.in, tasks: before, out: [at] });
      turn(drafts, draft.in, "out", at, left);
      draft.in = [left];
    }
    if (after.length > 0) {
      const right = add(drafts, { in: [at], tasks: after, out: draft.out });
      turn(drafts, draft.out, "in", at, right);
      draft.out = [right];
    }
  }
}

/** Nodes after all of `before`. */
function after(drafts: Drafts, before: readonly number[], chunks: Bucket): number[] {
  const added = chunks.map((tasks) => add(drafts, { in: [...before], tasks, out: [] }));
  for (const position of before) nodeAt(drafts, position).out.push(...added);
  return added;
}

/** Puts buckets in the place of one node, which becomes the anchor before them. */
function expand(drafts: Drafts, at: number, draft: Draft, buckets: readonly Bucket[]): void {
  const { out } = draft;
  draft.tasks = [];
  draft.out = [];
  let ends = [at];
  for (const bucket of buckets) {
    // A node in between, so that M and N nodes need M + N edges instead of M × N.
    if (ends.length > 1 && bucket.length > 1) ends = after(drafts, ends, [[]]);
    ends = after(drafts, ends, bucket);
  }
  if (out.length === 0) return;
  const anchor = add(drafts, { in: ends, tasks: [], out });
  for (const end of ends) nodeAt(drafts, end).out = [anchor];
  turn(drafts, out, "in", at, anchor);
}

/**
 * The graph of a payload. An update goes level by level; installing and reconciling know no levels, only the order within a
 * component. In every mode a Job divides what comes before it from what comes after.
 * @param attempt how often this payload was tried: reconciling goes through it in another order each time.
 */
export function buildGraph(tasks: readonly Task[], mode: Mode, attempt = 0): TaskGraph {
  const drafts: Drafts = [{ in: [], tasks, out: [] }];
  splitOnJobs(drafts);
  const order =
    mode === "Reconciling" ? attemptOrder(attempt) : <T>(items: readonly T[]): readonly T[] => items;
  const bucketsOf = mode === "Updating" ? orderedBuckets : flatBuckets;
  for (const [at, draft] of [...drafts.entries()]) {
    if (draft.tasks.length < 2) continue;
    const buckets = bucketsOf(draft.tasks).map((bucket) => order(bucket));
    if (buckets.length > 1 || (buckets[0]?.length ?? 0) > 1) expand(drafts, at, draft, buckets);
  }
  return { nodes: drafts };
}

/** The number of nodes that are worked on at once. */
export const workersOf = (mode: Mode, graph: TaskGraph): number =>
  mode === "Updating" ? 16 : mode === "Reconciling" ? 2 : Math.max(1, graph.nodes.length);
