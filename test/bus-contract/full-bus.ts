import assert from "node:assert/strict";
import type { Bus } from "../../shared/bus/contract.ts";
import { BusError } from "../../shared/bus/errors.ts";
import type { NewItem, WorkItem } from "../../shared/bus/item.ts";
import { done, item } from "./fixture.ts";

const DEPENDANTS = 900;
const SWEEPS = ["s1", "s2"];
const sweepOf = (name: string): NewItem =>
  item(name, {}, "sweep", {
    sweep: {
      wake: 0,
      subject: { cluster: "c", name },
      facts: [{ value: 1 }],
      gone: false,
      incomplete: false,
    },
  });

/** A bus that was filled to its limit, and whose workers look at all that it holds and at what its sweeps find. */
export interface FullBus {
  /** The number of keys that are to be looked at. */
  readonly all: number;
  readonly looked: ReadonlySet<string>;
  runs(): number;
}

/** Fills a bus with keys and sweeps, and starts its workers: as many as sweeps, which find more keys than the bus holds. */
export async function fillAndConsume(
  bus: Pick<Bus, "enqueue" | "ready" | "consume">,
  whileFull: () => Promise<void> = async () => undefined,
): Promise<FullBus> {
  await bus.enqueue(SWEEPS.map(sweepOf));
  let filled = 0;
  await assert.rejects(
    async () => {
      for (;;) {
        await bus.enqueue([item(`k${filled}`)]);
        filled += 1;
      }
    },
    (thrown) => thrown instanceof BusError && thrown.code === "BUS_FULL",
  );
  assert.ok(filled > 0);
  assert.equal(bus.ready(), false);
  await whileFull();
  const looked = new Set<string>();
  let runs = 0;
  const work = async ({ item: of }: { readonly item: WorkItem }) => {
    runs += 1;
    if (of.sweep === undefined) {
      looked.add(of.key);
      return done(of);
    }
    const found = Array.from({ length: DEPENDANTS }, (_, n) => item(`${of.key}-d${n}`, {}, "sweep"));
    return done(of, { enqueue: found });
  };
  bus.consume({ parallel: SWEEPS.length }, work);
  return { all: filled + SWEEPS.length * DEPENDANTS, looked, runs: () => runs };
}
