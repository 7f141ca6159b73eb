import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Cause, NewItem } from "../item.ts";
import { EchoMemory } from "./echo-memory.ts";

const key = { function: "widget", key: "a" };
const echoes = [{ uid: "u", resourceVersion: "5" }];

const item = (over: Partial<Cause> = {}, of: Partial<NewItem> = {}): NewItem => ({
  ...key,
  lane: "urgent",
  cause: {
    sort: "own",
    eventId: "e",
    type: "resource.changed",
    uid: "u",
    resourceVersion: "5",
    revives: true,
    at: "2026-01-15T10:00:00.000Z",
    ...over,
  },
  ...of,
});

describe("the echoes of runs that have ended", () => {
  test("are known by uid, version, function and key", () => {
    const memory = new EchoMemory();
    memory.remember(key, echoes);
    assert.equal(memory.knows(item()), true);
    for (const other of [
      item({ uid: "v" }),
      item({ resourceVersion: "6" }),
      item({ uid: undefined }),
      item({ resourceVersion: undefined }),
      item({}, { key: "b" }),
      item({}, { function: "other" }),
      item(
        {},
        {
          sweep: { wake: 0, subject: { cluster: "c", name: "n" }, facts: [], gone: false, incomplete: false },
        },
      ),
    ])
      assert.equal(memory.knows(other), false);
  });

  test("are those of the last run only", () => {
    const memory = new EchoMemory();
    memory.remember(key, echoes);
    memory.remember(key, []);
    assert.equal(memory.knows(item()), false);
  });

  test("are forgotten when the key runs again or an era begins", () => {
    const memory = new EchoMemory();
    for (const end of [() => memory.forget(key), () => memory.begin(1)]) {
      memory.remember(key, echoes);
      assert.equal(memory.knows(item()), true);
      end();
      assert.equal(memory.knows(item()), false);
      assert.equal(memory.knows(item()), false);
    }
  });

  test("are bounded: the key that ran longest ago goes first", () => {
    const memory = new EchoMemory();
    for (let i = 0; i <= 4_096; i++) memory.remember({ ...key, key: String(i) }, echoes);
    assert.equal(memory.knows(item({}, { key: "0" })), false);
    assert.equal(memory.knows(item({}, { key: "1" })), true);
    assert.equal(memory.knows(item({}, { key: "4096" })), true);
  });
});
