import assert from "node:assert/strict";
import { MAXIMUM_CAUSES, signedCause, type WorkItem } from "../../shared/bus/item.ts";
import { changed, done, failed, item, parked } from "./fixture.ts";
import type { Prove } from "./stage.ts";

const published = item("a", { sort: "dependency", type: "function.changed", signature: "new" }, "sweep");
const signatureOf = ({ causes }: WorkItem): string | undefined => signedCause(causes)?.signature;

/** What was published for one version of a function is still for that version when it is given out again. */
export function signaturePromises(prove: Prove): void {
  prove("B2: an item stays for the version that it was published for, whatever else comes", async (stage) => {
    const { bus, clock, hands } = stage;
    const old = hands();
    await bus.enqueue([published]);
    const first = await old.only();
    assert.equal(signatureOf(first.item), "new");
    await first.end(parked(first.item, { behind: "a worker of another version" }));
    old.consumer.leave("all");
    for (let changes = 0; changes < MAXIMUM_CAUSES + 3; changes++) await bus.publish([changed("a")]);
    await clock.advance(20_000);
    const other = hands();
    await other.drain();
    assert.ok(other.taken.some((taken) => signatureOf(taken) === "new"));
    assert.ok(other.taken.every(({ attempt }) => attempt === 1));
  });

  prove("B5: a retry is for the version that its first attempt was for", async ({ bus, clock, hands }) => {
    const at = hands();
    await bus.enqueue([published]);
    const first = await at.only();
    await first.end(failed(first.item));
    await clock.advance(1_000);
    const second = await at.only();
    assert.deepEqual([second.item.attempt, signatureOf(second.item)], [2, "new"]);
    await second.end(done(second.item, { again: true }));
    const third = await at.only();
    assert.equal(signatureOf(third.item), "new", "and so is the pass more that it asked for");
    await third.end(done(third.item));
    await bus.publish([changed("a")]);
    assert.equal(signatureOf((await at.only()).item), undefined);
  });
}
