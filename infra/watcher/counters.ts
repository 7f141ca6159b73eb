/** The counts of one watcher since its start. Plain numbers, for `/metrics`. */
export interface Counters {
  /** Lines of watches, bookmarks included. */
  eventsRead: number;
  /** Envelopes that the bus took. */
  published: number;
  /** Changes in which nothing that counts differed. */
  noOpsDropped: number;
  /** Lines that only told what a function beside the watcher had written. */
  echoesDropped: number;
  /** Watches opened again after one had ended. */
  watchRestarts: number;
  /** The number that ended after 70 s without a byte. */
  silentWatches: number;
  /** The number that the server ended before anything came: perhaps it found us too slow. */
  emptyWatches: number;
  /** Compares begun. */
  lists: number;
  /** Deletes that only a compare found. */
  deletesFoundLate: number;
  /** Changes that only a compare found. */
  changesFoundLate: number;
  /** Objects that could not be read: told as unknown, or left out where they did not say which one they are. */
  unreadObjects: number;
  /** Batches that the bus or the ledger refused. */
  publishFailures: number;
  /** Times that a stream was cut off because too many keys were dirty. */
  backPressure: number;
}

export const newCounters = (): Counters => ({
  eventsRead: 0,
  published: 0,
  noOpsDropped: 0,
  echoesDropped: 0,
  watchRestarts: 0,
  silentWatches: 0,
  emptyWatches: 0,
  lists: 0,
  deletesFoundLate: 0,
  changesFoundLate: 0,
  unreadObjects: 0,
  publishFailures: 0,
  backPressure: 0,
});
