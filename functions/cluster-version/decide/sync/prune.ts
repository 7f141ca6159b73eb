import type { HistoryEntry } from "../../kinds/index.ts";

/** The worth of an entry (4.10). */
const KEPT_ALWAYS = 1000;
const EDGE_OF_A_MINOR = 30;
const PART_OF_A_MINOR_MOVE = 20;
const PART_OF_A_PATCH_MOVE = -20;
/** The older, the less; also decides between equals. */
const PER_PLACE = -1.01;
/** The number of newest entries that are always kept. */
const NEWEST = 5;

/** The history within `maximum`, the least telling entries left out: one that goes over by one loses one. */
export function pruned(history: readonly HistoryEntry[], maximum: number): readonly HistoryEntry[] {
  let left = history;
  while (left.length > maximum) {
    const ranks = left.map((_, index) => rankOf(left, index));
    const lowest = ranks.indexOf(Math.min(...ranks));
    left = left.toSpliced(lowest, 1);
  }
  return left;
}

function rankOf(history: readonly HistoryEntry[], index: number): number {
  return worthOf(history, index) + PER_PLACE * index;
}

function worthOf(history: readonly HistoryEntry[], index: number): number {
  const entry = history[index];
  const newestCompleted = history.findIndex(isCompleted);
  if (index < NEWEST || index === history.length - 1 || index === newestCompleted) return KEPT_ALWAYS;
  const older = history.slice(index + 1).find(isCompleted);
  const newer = history.slice(0, index).findLast(isCompleted);
  if (entry === undefined) return 0;
  if (isCompleted(entry)) {
    const edge = [older, newer].some((other) => other === undefined || minorOf(other) !== minorOf(entry));
    return edge ? EDGE_OF_A_MINOR : 0;
  }
  if (older === undefined || newer === undefined) return 0;
  if (minorOf(older) !== minorOf(newer)) return PART_OF_A_MINOR_MOVE;
  return patchOf(older) === patchOf(newer) ? 0 : PART_OF_A_PATCH_MOVE;
}

const isCompleted = ({ state }: HistoryEntry): boolean => state === "Completed";
/** `x.y` and `z` of x.y.z, as text: what is no version is a minor of its own. */
const minorOf = ({ version = "" }: HistoryEntry): string => version.split(".").slice(0, 2).join(".");
const patchOf = ({ version = "" }: HistoryEntry): string => version.split(".")[2] ?? "";
