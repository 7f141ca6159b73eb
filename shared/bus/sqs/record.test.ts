import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Waiting } from "../waiting.ts";
import { alarmComes, expiryOf, fireDue, freshRecord, isEmpty, nextDue } from "./record.ts";
import type { KeyRecord } from "./store.ts";

const NOW = Date.UTC(2026, 0, 15, 10);
const iso = (time: number): string => new Date(time).toISOString();
const retryAt = (notBefore: number): Waiting => ({
  lane: "urgent",
  causes: [],
  causesIncomplete: false,
  notBefore,
  enqueuedAt: NOW,
});
const record = (over: Partial<KeyRecord>): KeyRecord => ({ ...freshRecord, ...over });

describe("a key's record", () => {
  test("what is due next is the least of all, but for a retry that is due already", () => {
    assert.equal(nextDue(freshRecord, NOW), undefined);
    const all = record({ deadlines: { a: iso(NOW + 9) }, net: NOW + 7, waiting: retryAt(NOW + 5) });
    assert.equal(nextDue(all, NOW), NOW + 5);
    assert.equal(nextDue(all, NOW + 5), NOW + 7);
    assert.equal(nextDue(all, NOW + 9), NOW + 7);
    assert.equal(nextDue(record({ waiting: retryAt(NOW) }), NOW), undefined);
  });

  test("what falls due fires once; what is ahead stays", () => {
    const before = record({ deadlines: { a: iso(NOW), b: iso(NOW + 1) }, net: NOW - 1 });
    const fired = fireDue(before, NOW);
    assert.deepEqual(
      fired.waiting?.causes.map(({ sort, timer }) => [sort, timer]),
      [
        ["deadline", "a"],
        ["net", "net"],
      ],
    );
    assert.equal(fired.waiting?.lane, "urgent");
    assert.deepEqual(fired.record.deadlines, { b: iso(NOW + 1) });
    assert.equal(fired.record.net, undefined);
    assert.equal(fireDue(fired.record, NOW).waiting, undefined);
    assert.equal(fireDue(record({ net: NOW }), NOW).waiting?.lane, "sweep");
  });

  test("a retry that is due stays in the record until a run takes it", () => {
    const before = record({ attempts: 1, waiting: retryAt(NOW) });
    const { record: after, retry, waiting } = fireDue(before, NOW);
    assert.deepEqual({ retry, waiting }, { retry: true, waiting: undefined });
    assert.equal(after, before);
    assert.equal(fireDue(before, NOW - 1).retry, false);
  });

  test("a timer message that is on its way serves what is due no earlier; one long overdue is lost", () => {
    assert.equal(alarmComes(freshRecord, NOW + 5, NOW), false);
    assert.equal(alarmComes(record({ alarm: NOW + 5 }), NOW + 5, NOW), true);
    assert.equal(alarmComes(record({ alarm: NOW + 6 }), NOW + 5, NOW), false);
    assert.equal(alarmComes(record({ alarm: NOW - 60_000 }), NOW + 5, NOW), true);
    assert.equal(alarmComes(record({ alarm: NOW - 120_000 }), NOW + 5, NOW), false);
  });

  test("only what nobody needs is forgotten, and nothing before its last timer", () => {
    assert.equal(isEmpty(freshRecord), true);
    const echoes = record({ echoes: [{ uid: "u", resourceVersion: "1" }] });
    assert.equal(isEmpty(echoes), false);
    assert.ok(expiryOf(echoes, NOW) < NOW + 3_600_000);
    const year = NOW + 365 * 86_400_000;
    assert.ok(expiryOf(record({ deadlines: { far: iso(year) } }), NOW) > year);
  });
});
