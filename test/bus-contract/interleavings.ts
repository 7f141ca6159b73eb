import assert from "node:assert/strict";
import fc from "fast-check";
import "../../infra/testing/seeded-properties.ts";
import { test } from "vitest";
import { changed, done, failed, Hands, keyOf, parked } from "./fixture.ts";
import { RETRY, type Stage } from "./stage.ts";

type Step =
  | { readonly do: "publish"; readonly key: string }
  | { readonly do: "finish" | "fail" | "park"; readonly nth: number }
  | { readonly do: "advance"; readonly milliseconds: number };

const PARKED = 2_000;

const key = fc.constantFrom("a", "b", "c");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("publish" as const), key }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("finish" as const), nth: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("fail" as const), nth: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("park" as const), nth: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("advance" as const),
      milliseconds: fc.integer({ min: 1, max: 3_000 }),
    }),
  },
);

/** What the contract says of one key, in the simplest words: every event is seen by a run that began after it. */
interface Model {
  /** Events that no run which ended well has begun after. */
  unseen: Set<string>;
  running: boolean;
  attempts: number;
  retryAt: number | undefined;
  dead: boolean;
}

/** What is parked until a millisecond after its former retry: a timer of whole seconds rings a second after that. */
const RETRY_THEN_PARKED: Step[] = [
  { do: "publish", key: "a" },
  { do: "fail", nth: 0 },
  { do: "advance", milliseconds: 1 },
  { do: "publish", key: "a" },
  { do: "park", nth: 0 },
  { do: "advance", milliseconds: PARKED },
];

/** Random orders of publishing, ending and waiting, against a small model. */
export function interleavings(stage: () => Promise<Stage>, numRuns: number): void {
  test("B2 to B6 hold under random interleavings", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40 }),
        fc.integer({ min: 1, max: 3 }),
        async (steps, parallel) => {
          const { bus, clock, can } = await stage();
          const latest = can.ringsToTheMillisecond ? 0 : 1_000;
          try {
            const at = new Hands(bus, clock, { parallel });
            const models = new Map<string, Model>(
              ["a", "b", "c"].map((each) => [
                each,
                { unseen: new Set(), running: false, attempts: 0, retryAt: undefined, dead: false },
              ]),
            );
            const model = (of: string): Model => models.get(of) ?? assert.fail(`no key ${of}`);
            let seen = 0;
            /** New runs: each carries all that its key has not seen. */
            const begin = async (): Promise<void> => {
              await at.running();
              for (const taken of at.taken.slice(seen)) {
                const m = model(taken.key);
                assert.equal(m.running, false, `${taken.key} runs twice at once`);
                assert.equal(m.dead, false, `${taken.key} is dead and runs`);
                m.attempts += 1;
                assert.equal(taken.attempt, m.attempts);
                const told = new Set(taken.causes.map(({ eventId }) => eventId));
                // What failed before is owed by the retry; what came since must be named.
                // What was handed to a process before the last event came tells of it by one more run, which must not fail to come.
                if (can.handsOverAtOnce)
                  for (const event of m.unseen) assert.ok(told.has(event), `${event} is lost`);
                m.running = true;
                m.retryAt = undefined;
                if (can.handsOverAtOnce) m.unseen.clear();
                for (const event of told) m.unseen.delete(event);
              }
              seen = at.taken.length;
              // Nobody idles while work is there.
              const running = (await at.running()).length;
              const due = [...models.values()].filter(
                (m) =>
                  !m.running &&
                  !m.dead &&
                  (m.unseen.size > 0 || (m.retryAt !== undefined && m.retryAt + latest <= clock.now())),
              );
              assert.ok(
                running === parallel || due.length === 0,
                `${due.length} keys wait while ${running} of ${parallel} run`,
              );
            };
            const end = async (nth: number, how: "finish" | "fail" | "park"): Promise<void> => {
              const running = await at.running();
              const chosen = running[nth % Math.max(1, running.length)];
              if (chosen === undefined) return;
              const m = model(chosen.item.key);
              m.running = false;
              if (how === "finish") m.attempts = 0;
              else if (how === "park") {
                m.attempts -= 1;
                m.retryAt = clock.now() + PARKED;
              } else if (m.attempts < RETRY.maximumAttempts)
                m.retryAt = clock.now() + RETRY.initialMilliseconds * 2 ** (m.attempts - 1);
              else {
                m.dead = true;
                m.unseen.clear();
              }
              await chosen.end(
                how === "finish"
                  ? done(chosen.item)
                  : how === "park"
                    ? parked(chosen.item, { milliseconds: PARKED })
                    : failed(chosen.item, { subjects: { [`uid-${chosen.item.key}`]: 1 } }),
              );
            };
            for (const each of steps) {
              if (each.do === "publish") {
                const event = changed(each.key);
                if (!model(each.key).dead) model(each.key).unseen.add(event.id);
                await bus.publish([event]);
              } else if (each.do === "advance") await clock.advance(each.milliseconds);
              else await end(each.nth, each.do);
              await begin();
            }
            for (
              let rounds = 0;
              rounds < 50 &&
              ((await at.running()).length > 0 || [...models.values()].some((m) => m.retryAt !== undefined));
              rounds++
            ) {
              await end(0, "finish");
              await clock.advance(RETRY.maximumMilliseconds);
              await begin();
            }
            for (const [of, m] of models) {
              assert.equal(m.unseen.size, 0, `${of} was not woken for its last event`);
              assert.equal((await bus.deadLetters.show(keyOf(of))) !== undefined, m.dead, of);
              const { waiting, running } = await bus.pending(keyOf(of));
              assert.deepEqual({ waiting, running }, { waiting: false, running: false });
            }
          } finally {
            await bus.close();
          }
        },
      ),
      { numRuns, examples: [[RETRY_THEN_PARKED, 1]] },
    );
  });
}
