import type { Envelope } from "../../events/index.ts";
import type { Bus } from "../../shared/bus/contract.ts";
import type { WorkKey } from "../../shared/bus/item.ts";
import { subjectOfWait } from "../../shared/bus/told-during.ts";
import { waitedObjectOf } from "../../shared/bus/wait-cause.ts";
import { OwnWrites } from "../../shared/hints/own-writes.ts";
import { Untold } from "../../shared/hints/untold.ts";
import type { Beside, SeenInAnswer } from "../watcher/index.ts";
import type { Routing } from "./routing.ts";

/** The knowledge that a watcher and the host beside it have of each other. */
export interface BesideParts {
  readonly own: OwnWrites<SeenInAnswer>;
  readonly untold: Untold;
  readonly watcher: Beside;
  /** Ends it. */
  readonly stop: () => void;
}

/**
 * Joins a watcher and the host beside it, so that the echoes of their writes end in the watcher. Undefined on a bus that cannot tell
 * who else hears of an event: there an echo is known by its key alone, once it is acknowledged.
 */
export function besideOn(bus: Bus, routing: Pick<Routing, "route">): BesideParts | undefined {
  if (bus.hearsOf === undefined) return undefined;
  const own = new OwnWrites<SeenInAnswer>();
  const untold = new Untold();
  const stop = bus.subscribe({ ran: (run) => untold.settled(run) });
  return {
    own,
    untold,
    stop,
    watcher: {
      own,
      leadsOnlyTo: (event, by) => !isHeard(event) && leadsOnlyTo(event, by),
      leftOut: (event) => {
        if (event.subject !== undefined) untold.left(event.subject, event);
      },
    },
  };

  function isHeard(event: Envelope): boolean {
    const object = waitedObjectOf(event);
    return (
      object === undefined || untold.isAnnounced(subjectOfWait(object)) || bus.hearsOf?.(object) !== false
    );
  }

  function leadsOnlyTo(event: Envelope, by: WorkKey): boolean {
    return routing
      .route(event)
      .every((item) => item.sweep === undefined && item.function === by.function && item.key === by.key);
  }
}
