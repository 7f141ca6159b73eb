import type { JetStreamManager } from "@nats-io/jetstream";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Names } from "./names.ts";

/**
 * Removes what a killed server brought back: messages that were replaced and whose successors are done. They lie below what
 * the consumer has acknowledged, so nobody is given them, but they count as waiting. Only for streams of one server: copies
 * bring nothing back, and with a new leader what the consumer says and what the stream holds may be of different moments.
 * @see https://github.com/nats-io/nats-server/issues/8505
 */
export async function sweepWork(
  manager: JetStreamManager,
  names: Names,
  functions: readonly string[],
  log: Log,
): Promise<void> {
  for (const name of functions)
    for (const lane of ["urgent", "sweep"] as const) {
      const { stream, name: consumer, filter } = names.consumer(name, lane);
      try {
        const { ack_floor: floor } = await manager.consumers.info(stream, consumer);
        if (floor.stream_seq === 0) continue;
        const { purged } = await manager.streams.purge(stream, { filter, seq: floor.stream_seq + 1 });
        if (purged > 0)
          log.info({ function: name, lane, messages: purged }, "messages that were done had come back");
      } catch (thrown) {
        // No consumer yet, or no right: the counts may be too high, and nothing else.
        log.debug(
          { function: name, lane, error: messageOf(thrown) },
          "the work stream was not looked through",
        );
      }
    }
}
