import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { BeatBook } from "./beat-book.ts";

const MINUTE = 60_000;
const beat = (number: number, after = number - 1) => ({ number, after, seconds: 60 });

/** Hears a beat at a minute, and notes it. */
const hear = (book: BeatBook, at: number, number: number, after?: number, elsewhere?: number) => {
  const other = elsewhere === undefined ? undefined : { heard: elsewhere * MINUTE, every: MINUTE };
  const { states, note } = book.hear("a", beat(number, after), at * MINUTE, other);
  note();
  return states;
};
const silent = (book: BeatBook, at: number, elsewhere?: number, until = at): readonly string[] =>
  book
    .silent(
      at * MINUTE,
      () => (elsewhere === undefined ? undefined : { heard: elsewhere * MINUTE, every: MINUTE }),
      until * MINUTE,
    )
    .map(({ sender, heard }) => `${sender} ${heard / MINUTE}`);

describe("the book of beats", () => {
  it("tells the first beat, and none that follows as it should", () => {
    const book = new BeatBook();
    assert.deepEqual(hear(book, 0, 1), ["alive"]);
    for (let minute = 1; minute < 100; minute++) {
      assert.deepEqual(hear(book, minute, minute + 1), []);
      assert.deepEqual(silent(book, minute), []);
    }
  });

  it("tells now and then that a sender is alive", () => {
    const book = new BeatBook();
    const told = [];
    for (let minute = 0; minute < 1_001; minute++) told.push(...hear(book, minute, minute + 1));
    assert.deepEqual(told, ["alive", "alive", "alive"]);
  });

  it("tells silence after three beats that did not come, and the beat after it", () => {
    const book = new BeatBook();
    hear(book, 0, 1);
    assert.deepEqual(silent(book, 3), []);
    assert.deepEqual(silent(book, 3.1), ["a 0"]);
    assert.deepEqual(silent(book, 4), ["a 0"], "until that is told");
    book.forget("a", 0);
    assert.deepEqual([silent(book, 5), book.size], [[], 0]);
    assert.deepEqual(hear(book, 9, 10, 1), ["alive", "missed"]);
  });

  it("tells a beat that comes when its silence is not told yet", () => {
    const book = new BeatBook();
    hear(book, 0, 1);
    assert.deepEqual(hear(book, 4, 5, 4), ["alive"]);
    book.forget("a", 0);
    assert.equal(book.size, 1, "it was heard since");
  });

  it("tells beats that did not arrive, once in five minutes, and forgets none", () => {
    const book = new BeatBook();
    hear(book, 0, 1);
    assert.deepEqual(hear(book, 2, 3, 1), ["missed"]);
    assert.deepEqual(hear(book, 4, 5, 3), [], "it was told two minutes ago");
    assert.deepEqual(hear(book, 5, 6), []);
    assert.deepEqual(hear(book, 6, 7), []);
    assert.deepEqual(hear(book, 7, 8), ["missed"]);
    for (let minute = 8; minute < 20; minute++) assert.deepEqual(hear(book, minute, minute + 1), []);
  });

  it("takes a program that began anew for no gap", () => {
    const book = new BeatBook();
    for (let minute = 0; minute < 10; minute++) hear(book, minute, minute + 1);
    assert.deepEqual(hear(book, 10, 1), ["alive"]);
    assert.deepEqual(hear(book, 11, 2), []);
    // Two programs at once, as in a roll-out.
    assert.deepEqual(hear(book, 11.5, 14, 13), []);
    assert.deepEqual(hear(book, 12, 3), []);
  });

  it("tells nothing of a sender whose other beats another host hears", () => {
    const [one, other] = [new BeatBook(), new BeatBook()];
    hear(one, 0, 1);
    assert.deepEqual(hear(other, 1, 2, 1, 0), []);
    assert.deepEqual(hear(other, 2, 3, 2, 0), []);
    assert.deepEqual(hear(other, 3, 4, 3, 0), [], "known here by now");
    assert.deepEqual([silent(one, 4, 3), one.size], [[], 0], "it is the other's");
    assert.deepEqual(hear(one, 5, 6, 5, 4), [], "and back");
    assert.deepEqual(hear(new BeatBook(), 8, 9, 8, 4), ["alive"], "what was heard elsewhere is too old");
    assert.deepEqual(hear(new BeatBook(), 1, 3, 1, 0), ["missed"], "a gap is one wherever it is heard");
    assert.deepEqual(hear(new BeatBook(), 1, 1, 0, 0), ["alive"], "a new program");
  });

  it("waits with silence until all other hosts have said what they heard", () => {
    const book = new BeatBook();
    hear(book, 0, 1);
    assert.deepEqual(silent(book, 4, undefined, 2.9), []);
    assert.deepEqual(silent(book, 4, undefined, 3.5), ["a 0"]);
    assert.deepEqual(silent(book, 4, 0, 3.5), ["a 0"], "both heard the same");
  });

  it("takes over what a host heard that is gone", () => {
    const book = new BeatBook();
    hear(book, 2, 3);
    const heard = (minute: number) => ({ heard: minute * MINUTE, every: MINUTE });
    book.adopt(
      new Map([
        ["a", heard(1)],
        ["b", heard(1)],
        ["c", heard(2)],
      ]),
    );
    assert.deepEqual(silent(book, 4.5), ["b 1"]);
    assert.deepEqual(silent(book, 5.5), ["a 2", "b 1", "c 2"]);
    book.adopt(new Map([["a", heard(4)]]));
    assert.deepEqual(silent(book, 5.5), ["b 1", "c 2"]);
  });

  it("tells all once more after others may have told their silence", () => {
    const book = new BeatBook();
    hear(book, 0, 1);
    book.tellAgain();
    assert.deepEqual(hear(book, 1, 2), ["alive"]);
    assert.deepEqual(hear(book, 2, 3), []);
  });

  it("is bounded", () => {
    const book = new BeatBook(2);
    const note = (sender: string): boolean => book.hear(sender, beat(1), 0).note();
    assert.deepEqual([note("a"), note("b"), note("c"), note("a")], [true, true, false, true]);
    book.adopt(new Map([["d", { heard: 1, every: 1 }]]));
    assert.equal(book.size, 2);
  });
});
