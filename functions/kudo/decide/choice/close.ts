import type { InstanceStatus } from "../../kinds/index.ts";
import { isRunning, isTerminal, type Lock } from "../definition/index.ts";

/** A run that nothing holds any more, and what is said of it. */
export interface Closing {
  readonly plan: string;
  readonly message: "superseded" | "abandoned";
}

/** The runs that are to be closed: of a lock that is gone, replaced, or given up by hand. Two never run at once for long. */
export const closings = (status: InstanceStatus | undefined, lock: Lock | undefined): readonly Closing[] =>
  Object.entries(status?.planStatus ?? {})
    .filter(([, entry]) => isRunning(entry.status))
    .flatMap(([plan, { uid }]): readonly Closing[] => {
      const isLocked = lock !== undefined && lock.plan === plan && lock.uid === uid;
      if (isLocked) return isTerminal(lock.status) ? [{ plan, message: "abandoned" }] : [];
      return [{ plan, message: lock === undefined ? "abandoned" : "superseded" }];
    });
