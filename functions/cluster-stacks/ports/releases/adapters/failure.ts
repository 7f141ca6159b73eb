import { timeOf } from "../../../../../shared/function/index.ts";
import type { FailureReason, SourceFailure } from "../contract.ts";

/** A source that gave no answer; `notBefore` in milliseconds since the epoch. */
export const failed = (reason: FailureReason, message: string, notBefore?: number): SourceFailure => ({
  state: "failed",
  reason,
  message: notBefore === undefined ? message : `${message}; it is asked again at ${timeOf(notBefore)}`,
  ...(notBefore !== undefined && { notBefore: timeOf(notBefore) }),
});

/** The answer for a tag that a source does not have. */
export const absent = (source: string, tag: string) =>
  ({ state: "absent", message: `source ${source} has no release ${tag}` }) as const;
