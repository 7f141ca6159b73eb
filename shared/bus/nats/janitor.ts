import type { JetStreamManager } from "@nats-io/jetstream";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Names } from "./names.ts";
import type { Wire } from "./wire.ts";

const PAGE = 50;

/**
 * Removes what a killed server brought back: messages that were replaced and whose successors are done. They lie below what
 * the consumer has acknowledged, so nobody is given them, but they count as waiting. Only for streams of one server: copies
 * bring nothing back, and with a new leader what the consumer says and what the stream holds may be of different moments.
 *
 * One by one: a purge of the stream also takes from its consumers what was given back and waits to be delivered again.
 * @see https://github.com/nats-io/nats-server/issues/8505
 */
export async function sweepWork(
  parts: { readonly manager: JetStreamManager; readonly wire: Wire; readonly names: Names },
  functions: readonly string[],
  log: Log,
): Promise<void> {
  const { manager, wire, names } = parts;
  for (const name of functions)
    for (const lane of ["urgent", "sweep"] as const) {
      const { stream, name: consumer, filter } = names.consumer(name, lane);
      let messages = 0;
      try {
        const { ack_floor: floor } = await manager.consumers.info(stream, consumer);
        for await (const { seq } of wire.list(stream, filter, { pageSize: PAGE })) {
          if (seq > floor.stream_seq) break;
          await manager.streams.deleteMessage(stream, seq, false);
          messages += 1;
        }
      } catch (thrown) {
        // No consumer yet, or no right: the counts may be too high, and nothing else.
        log.debug(
          { function: name, lane, error: messageOf(thrown) },
          "the work stream could not be scanned for acknowledged messages",
        );
      }
      if (messages > 0)
        log.info(
          { function: name, lane, messages },
          "deleted acknowledged messages that the stream still held",
        );
    }
}
