import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { steps, waitFor } from "../../test/coordination-objects.ts";
import { orderOf } from "./order.ts";
import { register } from "./registration.ts";

const accepted = { accepted: true } as const;

describe("register", () => {
  it("accepts waits that lead nowhere back", () => {
    assert.deepEqual(register([waitFor("a", "b"), waitFor("b", "c"), waitFor("a", "c")]), [
      accepted,
      accepted,
      accepted,
    ]);
  });

  it("refuses the wait that closes a circle, and names both (C6)", () => {
    assert.deepEqual(register([waitFor("a", "b"), waitFor("b", "c"), waitFor("c", "a")]), [
      accepted,
      accepted,
      {
        accepted: false,
        reason: "Cycle",
        message: "Cluster operators c and a would wait for each other: c waits for a waits for b waits for c",
      },
    ]);
  });

  it("refuses to wait for oneself", () => {
    assert.deepEqual(register([waitFor("a", "a")]), [
      { accepted: false, reason: "Cycle", message: "Cluster operator a cannot wait for itself" },
    ]);
  });

  it("keeps what came first when a later one contradicts it", () => {
    const [first, second, third] = register([waitFor("a", "b"), waitFor("b", "a"), waitFor("b", "c")]);
    assert.deepEqual([first?.accepted, second?.accepted, third?.accepted], [true, false, true]);
  });

  const payload = orderOf(
    steps([["etcd"], ["kube-apiserver"]], [["scheduler"]], [["console", "monitoring"]]),
  );

  it("scenario 38: a wait for a later level is refused with both names, one for the same level is not", () => {
    const [later, same] = register(
      [waitFor("kube-apiserver", "console"), waitFor("kube-apiserver", "etcd")],
      payload,
    );
    assert.deepEqual(later, {
      accepted: false,
      reason: "Unsatisfiable",
      message:
        "Cluster operator kube-apiserver waits for console, which the payload moves only once kube-apiserver has moved: console comes after kube-apiserver",
    });
    assert.deepEqual(same, accepted);
  });

  it("refuses a wait for an operator placed later in one's own chunk, not for an earlier one (C7)", () => {
    assert.equal(register([waitFor("console", "monitoring")], payload)[0]?.accepted, false);
    assert.equal(register([waitFor("monitoring", "console")], payload)[0]?.accepted, true);
  });

  it("refuses waits on one level that are mutual through the order of their chunks", () => {
    const order = orderOf(
      steps([
        ["a1", "a2"],
        ["b1", "b2"],
      ]),
    );
    const [first, second] = register([waitFor("a1", "b2"), waitFor("b1", "a2")], order);
    assert.deepEqual(first, accepted);
    assert.deepEqual(second, {
      accepted: false,
      reason: "Unsatisfiable",
      message:
        "Cluster operator b1 waits for a2, which the payload moves only once b1 has moved: a2 comes after a1, a1 waits for b2, b2 comes after b1",
    });
  });

  it("lets a wait pass that is met already, whatever the payload's order", () => {
    assert.deepEqual(
      register([waitFor("etcd", "console")], payload, () => true),
      [accepted],
    );
  });

  it("takes no wait for unsatisfiable that names operators outside of the payload", () => {
    assert.deepEqual(register([waitFor("mine", "console"), waitFor("etcd", "theirs")], payload), [
      accepted,
      accepted,
    ]);
  });

  it("leaves an order in which everybody can move, whatever is declared", () => {
    const names = ["a", "b", "c", "d", "e"] as const;
    const name = fc.constantFrom(...names);
    const chunks = fc
      .shuffledSubarray([...names], { minLength: 5 })
      .map((all) => steps([all.slice(0, 2), all.slice(2, 3)], [all.slice(3)]));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name), { maxLength: 12 }), chunks, (pairs, graph) => {
        const order = orderOf(graph);
        const waits = pairs.map(([consumer, other]) => waitFor(consumer, other));
        const kept = register(waits, order).flatMap(({ accepted: ok }, index) => {
          const wait = waits[index];
          return ok && wait !== undefined ? [wait] : [];
        });
        const moved = new Set<string>();
        const free = (one: string): boolean =>
          [...order.before(one)].every((before) => moved.has(before)) &&
          kept.every(({ consumer, operator }) => consumer !== one || moved.has(operator));
        for (let round = 0; round < names.length; round++)
          for (const one of names) if (free(one)) moved.add(one);
        assert.equal(moved.size, names.length);
      }),
    );
  });
});
