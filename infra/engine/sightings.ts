import type { ResourceDeleted } from "../../events/index.ts";
import type { Bus } from "../../shared/bus/contract.ts";
import type { Clock } from "../../shared/clock/clock.ts";
import { subjectOf } from "../../shared/function/key.ts";
import { Sightings } from "../../shared/host/sightings.ts";

/**
 * What a watcher in the same process has just seen, told of deletions and of an API server that went back by what is
 * published. Of use only there: a process without a watcher would decide on what it saw last, and that may be old.
 */
export function sightingsBeside(bus: Pick<Bus, "subscribe">, clock: Clock): Sightings {
  const sightings = new Sightings(clock);
  let era: number | undefined;
  bus.subscribe({
    published: ({ type, data }) => {
      const told = (data as { readonly era?: number } | undefined)?.era;
      if (told !== undefined && told !== era) {
        if (era !== undefined) sightings.forgetAll();
        era = told;
      }
      if (type !== "resource.deleted") return;
      const { ref, resourceVersion } = data as ResourceDeleted["data"];
      sightings.gone(subjectOf(ref, ref), resourceVersion);
    },
  });
  return sightings;
}
