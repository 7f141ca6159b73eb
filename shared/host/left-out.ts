import type { Lease, RunEnding, Work } from "../bus/contract.ts";
import type { RecordedEvent } from "../bus/run-record.ts";
import { isNews, missedItem, subjectOfWait } from "../bus/told-during.ts";
import type { Untold } from "../hints/untold.ts";

/**
 * The work of a host whose watcher leaves events out. A run that ends waiting for an object of which something was left out while it
 * went on, and which it did not see, looks once more: register, then check.
 */
export function wokenByWhatWasLeftOut(work: Work, untold: Untold): Work {
  const woken = async (lease: Lease): Promise<RunEnding> => {
    const run = untold.begins();
    try {
      const ending = await work(lease);
      if (ending.state !== "finished" || ending.waits.length === 0) return ending;
      const subjects = ending.waits.map(subjectOfWait);
      untold.announce(lease.item, subjects);
      const missed = subjects.flatMap((subject): readonly RecordedEvent[] => {
        const told = untold.during(run, subject);
        if (told === undefined) return [];
        return told === "unknown"
          ? [unknown(subject, ending.run.startedAt)]
          : isNews(told, ending)
            ? [told]
            : [];
      });
      if (missed.length === 0) return ending;
      const items = missed.map((told) => missedItem(lease.item, told));
      return { ...ending, enqueue: [...ending.enqueue, ...items] };
    } finally {
      untold.ends(run);
    }
  };
  return Object.assign(woken, work.ahead === undefined ? {} : { ahead: work.ahead });
}

const unknown = (subject: string, time: string): RecordedEvent => ({
  id: `left-out/${subject}`,
  type: "resource.changed",
  subject,
  time,
});
