import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, onTestFinished } from "vitest";
import { keptLog } from "../../../../../infra/testing/watched-cluster.ts";
import { silent } from "../../../../../shared/log/log.ts";
import { type Change, seenAt } from "../told/index.ts";
import { WaitingFolder } from "./folder.ts";

const change: Change = { manager: "m", group: "g", version: "v1", kind: "K", namespace: "n", name: "a" };

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "reveille-waiting-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("takes out of its folder what it cannot read of its own, and leaves what is not its own", () => {
  const folder = place();
  const waiting = seenAt(change, 5, "one");
  new WaitingFolder(folder, silent).put(waiting);
  const own = readdirSync(folder);
  const odd = [
    "",
    "null",
    "{}",
    '{"change":{}}',
    JSON.stringify({ ...waiting, due: "soon" }),
    JSON.stringify({ ...waiting, due: [] }),
    JSON.stringify({ ...waiting, change: { ...change, name: 7 } }),
    JSON.stringify(waiting),
  ];
  const name = (index: number): string => `${`${index}`.padStart(40, "0")}.json`;
  for (const [index, text] of odd.entries()) writeFileSync(join(folder, name(index)), text);
  writeFileSync(join(folder, `${name(0)}.new`), "{");
  mkdirSync(join(folder, name(99), "more"), { recursive: true });
  symlinkSync("/nowhere", join(folder, name(98)));
  writeFileSync(join(folder, "package.json"), "{}");
  const foreign = [name(99), name(98), "package.json"];
  const lines: Parameters<typeof keptLog>[0] = [];
  const again = new WaitingFolder(folder, keptLog(lines));
  assert.deepEqual([...again.all()], [waiting]);
  assert.deepEqual(readdirSync(folder).toSorted(), [...own, ...foreign].toSorted());
  assert.equal(lines.length, odd.length);
});

it("bounds the managers for which something waits, over its own end too", () => {
  const folder = place();
  const waiting = new WaitingFolder(folder, silent);
  const of = (manager: string) => seenAt({ ...change, manager }, 5, manager);
  for (let i = 0; i < 100; i++) waiting.put(of(`m${i}`));
  const again = new WaitingFolder(folder, silent);
  for (const one of [waiting, again])
    assert.deepEqual([one.isForeign("m1"), one.isForeign("other")], [false, true]);
  for (const one of [...again.all()].slice(0, 1)) again.settle(one, undefined);
  assert.equal(again.isForeign("other"), false);
});

it("keeps in memory what the disk does not take, and says so once", () => {
  const folder = place();
  const lines: Parameters<typeof keptLog>[0] = [];
  const waiting = new WaitingFolder(folder, keptLog(lines));
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "in the way");
  const one = seenAt(change, 5, "one");
  const other = seenAt({ ...change, name: "b" }, 6, "two");
  waiting.put(one);
  waiting.put(other);
  assert.deepEqual([...waiting.all()], [one, other]);
  waiting.settle(one, undefined);
  assert.deepEqual([...waiting.all()], [other]);
  assert.deepEqual(
    lines.map(({ level, message }) => [level, message]),
    [["warn", "cannot keep on the disk what is still to be told; it is kept in memory"]],
  );
  rmSync(folder);
  mkdirSync(folder);
  waiting.put(other);
  assert.equal(readdirSync(folder).length, 1);
});
