import type { RunRecord } from "./run-record.ts";

/** Every object that a run read, wrote or was woken by, each once. */
export const subjectsOf = (run: RunRecord): ReadonlySet<string> =>
  new Set([
    ...run.causes.flatMap(({ subject }) => (subject === undefined ? [] : [subject])),
    ...run.reads.map(({ subject }) => subject),
    ...run.writes.map(({ subject }) => subject),
  ]);
