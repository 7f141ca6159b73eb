import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { operator, waitFor } from "../../test/coordination-objects.ts";
import type { Operator } from "./dependency.ts";
import { type DependencyStatus, type Evaluation, evaluate } from "./evaluate.ts";
import { readiness } from "./readiness.ts";

const T0 = "2026-02-03T09:00:00.000Z";
const at = (secondsLater: number): string => new Date(Date.parse(T0) + secondsLater * 1000).toISOString();
const spec = waitFor("scheduler", "kube-apiserver");

const live = (
  version: string,
  resourceVersion: string,
  more: Parameters<typeof operator>[2] = {},
): Operator => operator("kube-apiserver", { operator: version }, { resourceVersion, ...more });

/** One dependency over a while: each look stores what it says, and goes on at once where it must. */
class Watched {
  status: DependencyStatus | undefined;
  /** The flips of Ready, as the watcher turns them into events. */
  readonly events: string[] = [];
  look(now: string, found: Operator | undefined, generation = 1): Evaluation {
    const said = evaluate({ spec, generation, status: this.status }, found, { accepted: true }, "5s", now);
    const [was, is] = [this.status, said.status].map(
      (status) => status?.conditions?.find(({ type }) => type === "Ready")?.status,
    );
    this.status = said.status;
    if (was !== "True" && is === "True") this.events.push("dependency.ready");
    if (was === "True" && is !== "True") this.events.push("dependency.lost");
    return said.again ? this.look(now, found, generation) : said;
  }
}

describe("evaluate", () => {
  it("scenario 37: tells nothing by the version alone, and once when the operator is done as well", () => {
    const watched = new Watched();
    watched.look(at(0), live("1.13.0", "10"));
    watched.look(at(1), live("1.14.0", "11", { progressing: "True" }));
    assert.deepEqual(watched.events, []);
    watched.look(at(2), live("1.14.0", "12"));
    watched.look(at(3), live("1.14.0", "13"));
    watched.look(at(3), live("1.14.0", "13"));
    assert.deepEqual(watched.events, ["dependency.ready"]);
    assert.equal(watched.status?.operatorResourceVersion, "12", "the version by which it became ready");
    assert.equal(watched.status?.operatorUID, "u1");
  });

  it("says at once what is met already when it is declared, and once (C3)", () => {
    const watched = new Watched();
    watched.look(at(0), live("1.14.0", "10"));
    watched.look(at(1), live("1.14.0", "10"));
    assert.deepEqual(watched.events, ["dependency.ready"]);
  });

  it("scenario 35: a status that its owner puts right again within the wait tells nobody anything", () => {
    const watched = new Watched();
    watched.look(at(0), live("1.14.0", "10"));
    const doubtful = watched.look(at(1), live("1.13.0", "11"));
    assert.equal(doubtful.wakeAt, at(6));
    assert.equal(doubtful.status.doubtfulSince, at(1));
    watched.look(at(2), live("1.14.0", "12"));
    assert.equal(watched.status?.doubtfulSince, undefined);
    assert.deepEqual(watched.events, ["dependency.ready"]);
  });

  it("scenario 35: an intruder's version that comes too early is told once, and taken back", () => {
    const watched = new Watched();
    watched.look(at(0), live("1.13.0", "10"));
    watched.look(at(1), live("1.14.0", "11"));
    watched.look(at(2), live("1.13.0", "12"));
    watched.look(at(3), live("1.14.0", "13"));
    watched.look(at(4), live("1.13.0", "14"));
    watched.look(at(9), live("1.13.0", "14"));
    assert.deepEqual(watched.events, ["dependency.ready", "dependency.lost"]);
  });

  it("counts the wait from its first sight, however often it looks meanwhile", () => {
    const watched = new Watched();
    watched.look(at(0), live("1.14.0", "10"));
    for (const second of [1, 2, 3, 4, 5.9])
      watched.look(at(second), live("1.14.0", "11", { degraded: "True" }));
    assert.deepEqual(watched.events, ["dependency.ready"]);
    const lost = watched.look(at(6), live("1.14.0", "11", { degraded: "True" }));
    assert.equal(lost.wakeAt, undefined);
    assert.deepEqual(watched.events, ["dependency.ready", "dependency.lost"]);
    assert.equal(lost.status.conditions?.at(-1)?.reason, "NotDone");
  });

  it("loses at once what was deleted, and one made anew begins as unknown (C4)", () => {
    const watched = new Watched();
    watched.look(at(0), live("1.14.0", "10"));
    watched.look(at(1), undefined);
    assert.deepEqual(watched.events, ["dependency.ready", "dependency.lost"]);
    assert.equal(watched.status?.operatorUID, undefined);
    watched.look(at(2), live("1.14.0", "20", { uid: "u2" }));
    assert.deepEqual(watched.events, ["dependency.ready", "dependency.lost", "dependency.ready"]);
  });

  it("loses and finds again one that was deleted and made anew between two looks", () => {
    const watched = new Watched();
    watched.look(at(0), live("1.14.0", "10"));
    watched.look(at(1), live("1.14.0", "20", { uid: "u2" }));
    assert.deepEqual(watched.events, ["dependency.ready", "dependency.lost", "dependency.ready"]);
    assert.equal(watched.status?.operatorUID, "u2");
  });

  it("answers another question at once where the dependency itself changed", () => {
    const watched = new Watched();
    watched.look(at(0), live("1.14.0", "10"));
    watched.look(at(1), live("1.13.0", "11"), 2);
    assert.deepEqual(watched.events, ["dependency.ready", "dependency.lost"]);
  });

  it("says the same of the same world", () => {
    const first = evaluate({ spec, generation: 1 }, live("1.13.0", "10"), { accepted: true }, "5s", at(0));
    const second = evaluate(
      { spec, generation: 1, status: first.status },
      live("1.13.0", "11"),
      { accepted: true },
      "5s",
      at(7),
    );
    assert.deepEqual(second.status, first.status);
  });

  it("shows a refusal in both conditions", () => {
    const { status } = evaluate(
      { spec, generation: 1 },
      live("1.14.0", "10"),
      { accepted: false, reason: "Cycle", message: "They would wait for each other" },
      "5s",
      at(0),
    );
    assert.deepEqual(
      status.conditions?.map(({ type, status: word, reason, message }) => [type, word, reason, message]),
      [
        ["Accepted", "False", "Cycle", "They would wait for each other"],
        ["Ready", "False", "Cycle", "They would wait for each other"],
      ],
    );
  });

  it("tells readiness and loss in turn, and in the end what holds, whatever happens in whatever order", () => {
    const states = fc.oneof(
      fc.constant(undefined),
      fc.record({
        version: fc.constantFrom("1.13.0", "1.14.0"),
        degraded: fc.constantFrom("True", "False") satisfies fc.Arbitrary<"True" | "False">,
        uid: fc.constantFrom("u1", "u2"),
      }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(states, fc.nat({ max: 9 })), { minLength: 1, maxLength: 20 }),
        (happenings) => {
          const watched = new Watched();
          let now = 0;
          let last: Operator | undefined;
          for (const [index, [state, seconds]] of happenings.entries()) {
            now += seconds;
            last = state && live(state.version, `${index}`, { degraded: state.degraded, uid: state.uid });
            watched.look(at(now), last);
          }
          watched.look(at(now + 5), last);
          const met = readiness(spec, last).ready;
          assert.equal(watched.status?.conditions?.at(-1)?.status, met ? "True" : "False");
          for (const [index, event] of watched.events.entries())
            assert.equal(event, index % 2 === 0 ? "dependency.ready" : "dependency.lost");
          assert.equal(watched.events.length % 2, met ? 1 : 0);
        },
      ),
    );
  });
});
