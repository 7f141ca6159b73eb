import { messageOf } from "../../shared/errors.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import type { Log } from "../../shared/log/log.ts";
import type { WatchedKind } from "../../shared/runner/watch-list.ts";
import type { Counters } from "./counters.ts";
import { MalformedObjectError, UnreadableSightingError } from "./errors.ts";
import { type Sighting, sight, unreadSighting } from "./sighting.ts";

/**
 * The sighting of an object. One that cannot be read is named and told as unknown: it stops nobody else. Undefined for one that does
 * not even say which it is.
 */
export function sightSafely(
  object: KubeObject,
  watched: WatchedKind,
  { counters, log }: { readonly counters: Counters; readonly log: Log },
): Sighting | undefined {
  try {
    return sight(object, watched);
  } catch (thrown) {
    counters.unreadObjects++;
    const { namespace, name, resourceVersion } = object.metadata ?? {};
    const about = { namespace, name, resourceVersion };
    if (thrown instanceof MalformedObjectError) {
      log.error({ ...about, code: thrown.code }, thrown.message);
      return undefined;
    }
    const error = new UnreadableSightingError(thrown);
    log.error({ ...about, code: error.code, error: messageOf(thrown) }, error.message);
    return unreadSighting(object, watched);
  }
}
