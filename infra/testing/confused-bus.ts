import type { Envelope } from "../../events/index.ts";
import type { MortalBus } from "./fleet.ts";
import { shuffled } from "./random.ts";

/** So many events are remembered, to come once more. */
const REMEMBERED = 30;
const AGAIN = 0.2;
const UNDER_ITS_ID = 0.5;

/**
 * The bus of a watcher whose news come confused: what is published together comes in any order, and some of what came before comes
 * once more behind what is newer, under its id or as another event.
 */
export function confusedBus(bus: MortalBus, random: () => number): MortalBus {
  const earlier: Envelope[] = [];
  let number = 0;
  const late = (event: Envelope): Envelope => {
    number += 1;
    return { ...event, id: `${event.id}/late-${number}` };
  };
  const publish: MortalBus["publish"] = async (events, line) => {
    const again = earlier
      .filter(() => random() < AGAIN)
      .map((event) => (random() < UNDER_ITS_ID ? event : late(event)));
    earlier.push(...events);
    earlier.splice(0, earlier.length - REMEMBERED);
    const { refused } = await bus.publish(shuffled([...events, ...again], random), line);
    return {
      refused: refused.flatMap((one) => {
        const index = events.findIndex(({ id }) => id === one.id);
        return index < 0 ? [] : [{ ...one, index }];
      }),
    };
  };
  return new Proxy(bus, {
    get(target, name) {
      if (name === "publish") return publish;
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === "function" ? found.bind(target) : found;
    },
  });
}
