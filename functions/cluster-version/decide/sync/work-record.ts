import * as z from "zod";
import { jsonOf } from "../../../../shared/json/parse.ts";
import type { Mode } from "../graph/index.ts";
import type { UpdateError } from "./update-error.ts";

/** The place of the work record: beside the status, since a ClusterVersion has no field for it. Losing it costs time only. */
export const WORK_RECORD = { name: "cluster-version-work", namespace: "openshift-cluster-version" } as const;
/** The key of the ConfigMap that holds it, as JSON. */
export const WORK_KEY = "work.json";

const updateError: z.ZodType<UpdateError> = z.object({
  effect: z.enum(["Fail", "FailAfterInterval", "None", "Report"]),
  reason: z.string(),
  message: z.string(),
  names: z.array(z.string()),
});

const failedTask = z.object({
  task: z.int().positive(),
  /** The number of failures in a row. */
  tries: z.int().positive(),
  /** The time of its next try. */
  next: z.string(),
  /** True where it counts as the pass's failure, and is told. */
  told: z.boolean(),
  error: updateError,
  /** The words of the server, or of the rule: conditions have no place for them. Of the first failures only, and cut. */
  detail: z.string().optional(),
});
/** A task that was tried without success. */
export type FailedTask = z.output<typeof failedTask>;

const workRecord = z.object({
  /** The uid of the ClusterVersion: the record of another one is not taken up. */
  uid: z.string(),
  /** The present work: release, `force` and payload. */
  work: z.string(),
  /** Fingerprint of overrides, capabilities and feature gates: a change of them is new work. */
  settings: z.string(),
  mode: z.enum(["Initializing", "Updating", "Reconciling"]),
  /** Indexes of tasks, as ranges: `1-12,14`. */
  done: z.string().regex(/^(\d+(-\d+)?(,\d+(-\d+)?)*)?$/),
  /** The time since which each ClusterOperator has been waited for. */
  waiting: z.record(z.string(), z.string()),
  /** The waits for ClusterOperators that arrived: from when to when. Told until the next work begins. */
  passed: z.record(z.string(), z.object({ since: z.string(), until: z.string() })).optional(),
  failures: z.array(failedTask),
  /** The gates' view of the ClusterOperators when tasks last failed: a change is worth a try at once. */
  board: z.string(),
  /** Objects whose deletion was asked for, by the name that messages give them. */
  deletions: z.record(z.string(), z.object({ uid: z.string(), gone: z.boolean() })),
});
type StoredRecord = z.output<typeof workRecord>;

/** The progress of the work. */
export interface WorkRecord extends Omit<StoredRecord, "done" | "mode"> {
  readonly mode: Mode;
  readonly done: ReadonlySet<number>;
}

/** Reads it; undefined where there is none, or none that makes sense: then it is derived anew. */
export function readWork(
  stored: { readonly data?: Readonly<Record<string, string>> | undefined } | undefined,
) {
  const text = stored?.data?.[WORK_KEY];
  if (text === undefined) return undefined;
  const parsed = workRecord.safeParse(jsonOf(text));
  return parsed.success ? { ...parsed.data, done: setOf(parsed.data.done) } : undefined;
}

/** The contents of the ConfigMap. */
export const writtenWork = (record: WorkRecord): Readonly<Record<string, string>> => ({
  [WORK_KEY]: JSON.stringify({ ...record, done: rangesOf(record.done) }),
});

/** Nothing is done, failed or waited for yet. */
export const freshWork = (
  of: Pick<WorkRecord, "uid" | "work" | "settings" | "mode"> &
    Partial<Pick<WorkRecord, "deletions" | "passed">>,
): WorkRecord => ({
  uid: of.uid,
  work: of.work,
  settings: of.settings,
  mode: of.mode,
  done: new Set(),
  waiting: {},
  ...(of.passed !== undefined && { passed: of.passed }),
  failures: [],
  board: "",
  deletions: of.deletions ?? {},
});

/** The image that a record is about; undefined where there is none. */
export function recordedImage(record: WorkRecord | undefined): string | undefined {
  const work: unknown = record === undefined ? undefined : jsonOf(record.work);
  const [image] = Array.isArray(work) ? (work as readonly unknown[]) : [];
  return typeof image === "string" && image !== "" ? image : undefined;
}

/** The deletions that are not over. */
export const pendingDeletions = (record: WorkRecord | undefined): readonly string[] =>
  Object.entries(record?.deletions ?? {}).flatMap(([name, { gone }]) => (gone ? [] : [name]));

export function rangesOf(numbers: ReadonlySet<number>): string {
  const ranges: { from: number; to: number }[] = [];
  for (const number of [...numbers].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to + 1 === number) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}

/** More than any payload has: a record that says more is none. */
const MOST = 100_000;

function setOf(ranges: string): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const range of ranges.split(",").filter((text) => text !== "")) {
    const [from = 0, to = from] = range.split("-").map(Number);
    for (let number = from; number <= Math.min(to, MOST); number += 1) numbers.add(number);
  }
  return numbers;
}
