import assert from "node:assert/strict";
import { it } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { silent } from "../../log/log.ts";
import type { WaitedObject } from "../contract.ts";
import { WaitNews } from "./wait-news.ts";

const object = (name: string): WaitedObject => ({
  cluster: "c",
  group: "",
  version: "v1",
  kind: "ConfigMap",
  namespace: "default",
  name,
});

it("what one who asks hears first is told to all others who listen, and once", async () => {
  const clock = new ManualClock();
  const followed = [{ key: { function: "f", key: "one" }, object: object("one") }];
  const told: string[] = [];
  const news = new WaitNews({
    store: { followed: async () => [...followed] },
    clock,
    log: silent,
    tell: (objects) => void told.push(...objects.map(({ name }) => name)),
  });
  news.listen();
  assert.equal((await news.ask()).length, 1);
  assert.deepEqual(told, [], "whoever begins to listen asks for all");
  followed.push({ key: { function: "f", key: "two" }, object: object("two") });
  assert.equal((await news.ask()).length, 2);
  assert.deepEqual(told, ["two"]);
  followed.push({ key: { function: "f", key: "three" }, object: object("three") });
  clock.advance(10_000);
  await eventually("the third to be told", () => told.length === 2);
  await news.ask();
  assert.deepEqual(told, ["two", "three"]);
  news.close();
});
