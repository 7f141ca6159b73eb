import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, test } from "vitest";
import { BusError } from "../../errors.ts";
import { Journal } from "./journal.ts";
import { encode, scan } from "./record.ts";

const folder = mkdtempSync(join(tmpdir(), "journal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let number = 0;
const newFile = (): string => join(folder, `${number++}.journal`);
const chapter = { birth: "b", number: 1 };
const options = { powerCutSafe: false, maximumBytes: 1 << 20 };

const payloads = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 8 });
/** Records of text, as a journal's are: no byte of them is zero, which is what a block that was never written holds. */
const texts = fc.array(fc.uint8Array({ minLength: 2, maxLength: 40, min: 1 }), {
  minLength: 1,
  maxLength: 8,
});
const told = (payload: Uint8Array): string => Buffer.from(payload).toString("hex");

test("cut at any byte, what was whole before is read, and nothing is called damaged", () => {
  fc.assert(
    fc.property(payloads, (all) => {
      const records = all.map(encode);
      const bytes = Buffer.concat(records);
      for (let cut = 0; cut <= bytes.length; cut++) {
        const found = scan(bytes.subarray(0, cut));
        assert.equal(found.damagedAt, undefined, `cut at ${cut}`);
        let whole = 0;
        const kept = records.flatMap((record, index) => {
          const end = records.slice(0, index + 1).reduce((sum, { length }) => sum + length, 0);
          if (end > cut) return [];
          whole = end;
          return [told(all[index] ?? record)];
        });
        assert.deepEqual(
          found.records.map(({ payload }) => told(payload)),
          kept,
          `cut at ${cut}`,
        );
        assert.equal(found.whole, whole);
      }
    }),
    { numRuns: 40 },
  );
});

test("another byte anywhere is found, and named by the record that it lies in", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 255 }), (all, difference) => {
      const records = all.map(encode);
      const bytes = Buffer.concat(records);
      for (let at = 0; at < bytes.length; at++) {
        const flipped = Buffer.from(bytes);
        flipped[at] = (flipped[at] ?? 0) ^ difference;
        let begin = 0;
        for (const { length } of records) {
          if (begin + length > at) break;
          begin += length;
        }
        assert.equal(scan(flipped).damagedAt, begin, `byte ${at} of ${bytes.length}`);
      }
    }),
    { numRuns: 40 },
  );
});

test("blocks that a power cut left unwritten are torn off, not damage", () => {
  const bytes = Buffer.concat([encode(Buffer.from("first")), encode(Buffer.from("second"))]);
  for (let from = encode(Buffer.from("first")).length; from < bytes.length - 6; from++) {
    const unwritten = Buffer.from(bytes).fill(0, from);
    const { records, damagedAt } = scan(unwritten);
    if (from === encode(Buffer.from("first")).length) assert.equal(damagedAt, undefined);
    assert.equal(records.length, 1);
  }
});

/** A journal of one chapter with these records, as a process left it that was killed. */
function written(file: string, records: readonly unknown[]): void {
  const journal = new Journal(file, options);
  journal.read(chapter, 0);
  journal.restart(chapter);
  for (const record of records) journal.append(encode(Buffer.from(JSON.stringify(record))));
  journal.close();
}

test("a torn tail is cut, and what is appended then is read after it", () => {
  const file = newFile();
  written(file, [1, 2]);
  appendFileSync(file, encode(Buffer.from("3")).subarray(0, 9));
  const journal = new Journal(file, options);
  assert.deepEqual(journal.read(chapter, 0).records, [1, 2]);
  assert.ok(journal.hasRoom(100));
  journal.append(encode(Buffer.from("4")));
  journal.close();
  assert.deepEqual(new Journal(file, options).read(chapter, 0).records, [1, 2, 4]);
});

test("damage is named with file and byte", () => {
  const file = newFile();
  written(file, ["one", "two"]);
  const bytes = readFileSync(file);
  const at = bytes.indexOf("one");
  bytes[at] = 0x4f;
  writeFileSync(file, bytes);
  assert.throws(
    () => new Journal(file, options).read(chapter, 0),
    (thrown) =>
      thrown instanceof BusError &&
      thrown.code === "BUS_CORRUPT" &&
      /\.journal is damaged at byte \d+/.test(thrown.message),
  );
});

test("what the file tells already is passed over, and a journal of another chapter tells nothing", () => {
  const file = newFile();
  written(file, [1]);
  const journal = new Journal(file, options);
  journal.read(chapter, 0);
  const position = journal.size;
  journal.append(encode(Buffer.from("2")));
  journal.close();
  assert.deepEqual(new Journal(file, options).read(chapter, position).later, [2]);
  const next = new Journal(file, options);
  const read = next.read({ birth: "b", number: 2 }, 0);
  assert.deepEqual(read, { records: [], later: [], other: chapter });
  assert.equal(next.hasRoom(1), false, "nothing may be appended to another chapter");
  next.restart({ birth: "b", number: 2 });
  assert.equal(next.hasRoom(1), true);
});

test("a journal that is shorter than the file knows takes nothing until it begins anew", () => {
  const file = newFile();
  written(file, [1]);
  const journal = new Journal(file, options);
  assert.deepEqual(journal.read(chapter, 10_000).later, []);
  assert.equal(journal.hasRoom(1), false);
});

test("beyond its bytes there is no room", () => {
  const journal = new Journal(newFile(), { ...options, maximumBytes: 100 });
  journal.read(chapter, 0);
  assert.equal(journal.hasRoom(1), false, "it has not begun yet");
  journal.restart(chapter);
  assert.equal(journal.hasRoom(100 - journal.size), true);
  assert.equal(journal.hasRoom(101 - journal.size), false);
});
