import type { Parked } from "../bus/contract.ts";
import type { WorkItem } from "../bus/item.ts";
import type { Clock } from "../clock/clock.ts";
import { parseKey } from "../function/key.ts";
import type { Log } from "../log/log.ts";
import { refusedRun } from "./refused-run.ts";

/** The pause before the item is given out again: to the host of its own cluster, if there is one on this bus. */
const AGAIN_MILLISECONDS = 60_000;

/** The cluster that an item is about; undefined where it says none. */
function clusterOf({ key, sweep }: WorkItem): string | undefined {
  // The source of a sweep may be an event: then its key holds that event's id, which may look like anything.
  if (sweep !== undefined) return sweep.subject.cluster === "" ? undefined : sweep.subject.cluster;
  try {
    const parsed = parseKey(key);
    return parsed.of === "sweep" ? undefined : parsed.cluster;
  } catch (thrown) {
    // The run says what is wrong with the key.
    if (thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}

/**
 * Refuses the keys of another cluster: two installations share a bus, or the cluster has got another name. What is looked at here would
 * be objects of the same names that are others. The item goes back and counts as no attempt, so the other installation loses nothing.
 */
export class ForeignKeys {
  readonly #parts: { readonly cluster: string; readonly clock: Clock; readonly log: Log };
  readonly #told = new Set<string>();

  constructor(parts: { readonly cluster: string; readonly clock: Clock; readonly log: Log }) {
    this.#parts = parts;
  }

  /** The end of a run for a key of another cluster; undefined where the key is ours. */
  refuse(item: WorkItem): Parked | undefined {
    const { cluster: own, clock, log } = this.#parts;
    const cluster = clusterOf(item);
    if (cluster === undefined || cluster === own) return undefined;
    const { function: name, key } = item;
    const error = {
      code: "KEY_OF_ANOTHER_CLUSTER",
      message: `${key} is of the cluster ${cluster}, and this host serves ${own}: give each installation a bus or a prefix of its own, or set cluster.name as it was.`,
    };
    log[this.#told.has(cluster) ? "debug" : "error"](
      { function: name, key, cluster, code: error.code },
      error.message,
    );
    this.#told.add(cluster);
    const run = refusedRun(item, "away", error, clock.now());
    const behind = `cluster ${cluster}`;
    return { state: "parked", behind, milliseconds: AGAIN_MILLISECONDS, error, echoes: [], run };
  }
}
