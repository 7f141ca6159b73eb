import assert from "node:assert/strict";
import { test } from "vitest";
import { each, on, released } from "../function/index.ts";
import { ConfigMap } from "../kube/kinds/index.ts";
import { newsOf } from "./news.ts";

const heard = each(ConfigMap).function({
  name: "heard",
  wakes: [on(released).toEach<typeof ConfigMap>(() => true)],
  reconcile: () => ({}),
});
const deaf = each(ConfigMap).function({ name: "deaf", reconcile: () => ({}) });
const release = { type: "release.published", eventId: "example/app@1" };
const change = { type: "resource.changed", eventId: "c" };
const command = { type: "command.reconcile", eventId: "asked" };

for (const [name, declaration, causes, news] of [
  ["a release that it wakes on", heard, [change, release], "example/app@1"],
  ["one that it does not wake on", deaf, [release], undefined],
  ["a command", deaf, [command], "asked"],
  ["several, in their order", heard, [release, change, command], "example/app@1 asked"],
  ["a change of an object", heard, [change], undefined],
  ["a timer", heard, [{ type: "timer.due", eventId: "t" }], undefined],
  ["nothing", heard, [], undefined],
] as const)
  test(`news of ${name}`, () => assert.equal(newsOf(declaration, causes), news));
