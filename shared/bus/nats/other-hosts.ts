import type { Subscription } from "@nats-io/transport-node";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import { type Acknowledger, handedOver, handOver, type ItemDelivery } from "./delivery.ts";
import type { Names } from "./names.ts";
import { statusOf, Unsure, type Wire } from "./wire.ts";

const HAND_OVER_MILLISECONDS = 500;
/** An owner that did not answer is not asked again for this long. */
const SILENT_MILLISECONDS = 1_000;
const NOBODY_MILLISECONDS = 2_000;
const MOST_SILENT = 10_000;

export interface OtherHostsParts {
  readonly wire: Wire;
  readonly names: Names;
  /** This host. */
  readonly host: string;
  readonly acknowledge: Acknowledger;
  readonly log: Log;
  readonly random: () => number;
}

/** Gives items to the hosts that run their keys, and takes what they give. */
export class OtherHosts {
  readonly #parts: OtherHostsParts;
  readonly #silent = new Map<string, number>();

  constructor(parts: OtherHostsParts) {
    this.#parts = parts;
  }

  /** True: the owner has it, or it waits. False: the owner does not run the key. */
  async give(delivery: ItemDelivery, owner: string): Promise<boolean> {
    const { wire, names, acknowledge, random } = this.#parts;
    const later = (): true => {
      acknowledge.back(delivery, NOBODY_MILLISECONDS * (1 + random() / 2));
      return true;
    };
    if ((this.#silent.get(owner) ?? 0) > performance.now()) return later();
    const { payload, headers } = handOver(delivery);
    try {
      const answer = await wire.request(names.host(delivery.key.function, owner), payload, {
        headers,
        milliseconds: HAND_OVER_MILLISECONDS,
      });
      if (statusOf(answer) === 0) return answer.string() === "taken";
    } catch (thrown) {
      if (!(thrown instanceof Unsure)) throw thrown;
    }
    if (this.#silent.size > MOST_SILENT) this.#silent.clear();
    this.#silent.set(owner, performance.now() + SILENT_MILLISECONDS);
    return later();
  }

  /**
   * Hears what other hosts give of a function.
   * @param take false where this host does not run the key
   */
  hear(name: string, take: (delivery: ItemDelivery) => boolean): Subscription {
    const { wire, names, host, log } = this.#parts;
    return wire.connection.subscribe(names.host(names.function(name), host), {
      callback: (error, message) => {
        if (error !== null) return;
        try {
          message.respond(take(handedOver(message)) ? "taken" : "gone");
        } catch (thrown) {
          log.error({ error: messageOf(thrown) }, "an item that another host handed over cannot be read");
        }
      },
    });
  }
}
