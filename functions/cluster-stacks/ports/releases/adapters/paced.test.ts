import assert from "node:assert/strict";
import { test } from "vitest";
import { ManualClock } from "../../../../../infra/testing/manual-clock.ts";
import type { OpenedRelease, Opening } from "../contract.ts";
import { type FoundRelease, paced } from "./paced.ts";

const TAG = "a-b-1-27-v1";
const release = (digest: string): OpenedRelease => ({ digest, files: new Map(), archives: new Map() });
const found = (stamp: string): FoundRelease => ({
  state: "found",
  stamp,
  read: async () => ({ state: "opened", release: release(stamp) }),
});
const digestOf = (answer: Opening): string =>
  answer.state === "opened" ? answer.release.digest : answer.state;

/** A source whose questions are answered one by one, in any order. */
function scene() {
  const questions: PromiseWithResolvers<FoundRelease | Opening>[] = [];
  const source = paced(
    {
      list: async () => ({ state: "listed", version: "1", releases: [] }),
      look: () => {
        const question = Promise.withResolvers<FoundRelease | Opening>();
        questions.push(question);
        return question.promise;
      },
    },
    new ManualClock(),
  );
  const open = (news?: string): Promise<Opening> => source.open("s", TAG, { news });
  return { questions, open };
}

test("who brings news is not told what was asked before it, and all others share one question", async () => {
  const { questions, open } = scene();
  const [before, same] = [open(), open()];
  const [after, joined] = [open("published"), open("published")];
  assert.equal(questions.length, 2);
  questions[0]?.resolve({ state: "absent", message: "it is not there" });
  questions[1]?.resolve(found("new"));
  assert.deepEqual((await Promise.all([before, same, after, joined])).map(digestOf), [
    "absent",
    "absent",
    "new",
    "new",
  ]);
});

test("an answer that comes late takes the place of no later one", async () => {
  const { questions, open } = scene();
  const [before, after] = [open(), open("replaced")];
  questions[1]?.resolve(found("new"));
  assert.equal(digestOf(await after), "new");
  questions[0]?.resolve(found("old"));
  assert.equal(digestOf(await before), "old");
  assert.equal(digestOf(await open()), "new");
  assert.equal(questions.length, 2);
});
