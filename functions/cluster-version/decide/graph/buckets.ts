import type { Task } from "./task.ts";

/** Tasks that run one after the other. */
export type Chunk = readonly Task[];
/** Chunks that run side by side. */
export type Bucket = readonly Chunk[];

const together = (one: Task | undefined, other: Task): boolean =>
  one?.level !== undefined && one.level === other.level && one.component === other.component;

/** Adjacent tasks of one level and component; a task whose file names none is a chunk of its own. */
function chunksOf(tasks: readonly Task[]): Task[][] {
  const chunks: Task[][] = [];
  for (const task of tasks) {
    const last = chunks.at(-1);
    if (last !== undefined && together(last.at(-1), task)) last.push(task);
    else chunks.push([task]);
  }
  return chunks;
}

/**
 * The order of an update: a bucket for each level that has several components, what lies between two such levels in one chunk.
 * Levels are compared as they are written, and only with what is beside them: files out of order are not sorted.
 */
export function orderedBuckets(tasks: readonly Task[]): readonly Bucket[] {
  const levels: Task[][][] = [];
  for (const chunk of chunksOf(tasks)) {
    const last = levels.at(-1);
    const level = chunk[0]?.level;
    if (last !== undefined && level !== undefined && last[0]?.[0]?.level === level) last.push(chunk);
    else levels.push([chunk]);
  }
  const merged: Task[][][] = [];
  let serial: Task[] | undefined;
  for (const chunks of levels) {
    const [only = [], second] = chunks;
    if (second !== undefined) {
      merged.push(chunks);
      serial = undefined;
    } else if (serial !== undefined) serial.push(...only);
    else {
      serial = [...only];
      merged.push([serial]);
    }
  }
  return merged;
}

/** Without order: every chunk for itself. */
export const flatBuckets = (tasks: readonly Task[]): readonly Bucket[] => [chunksOf(tasks)];
