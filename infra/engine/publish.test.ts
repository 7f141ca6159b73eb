import assert from "node:assert/strict";
import { test } from "vitest";
import { catalogue, type Envelope, parseEvent } from "../../events/index.ts";
import { judge } from "../../shared/bus/judge.ts";
import { changed as changedData, keptLog } from "../testing/watched-cluster.ts";
import { publishTo } from "./publish.ts";

const told = (type: string, name: string, data: object): Envelope => ({
  specversion: "1.0",
  id: `${type}-${name}`,
  type,
  source: "/clusters/c",
  time: "2026-01-01T00:00:00Z",
  datacontenttype: "application/json",
  data: {
    ref: { cluster: "c", group: "g", version: "v1", kind: "K", namespace: "n", name, uid: `uid-${name}` },
    era: 0,
    resourceVersion: "5",
    lane: "urgent",
    seen: [],
    incomplete: false,
    ...data,
  },
});
const good = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" };
const bad = { ...good, name: "p".repeat(300) };
const changed = (name: string, owners: readonly object[]): Envelope =>
  told("resource.changed", name, {
    generation: 1,
    differs: ["facts"],
    facts: { a: 1 },
    owners,
    deleting: false,
  });

test("an event that the bus refuses is published again as its reference alone, its neighbours as usual", async () => {
  const taken: Envelope[] = [];
  const lines: Parameters<typeof keptLog>[0] = [];
  const bus: Parameters<typeof publishTo>[0] = {
    publish: async (events) => {
      const judged = events.map((event, index) => judge(event, index, catalogue, () => []));
      taken.push(...judged.flatMap((one) => ("refused" in one ? [] : one.event)));
      return { refused: judged.flatMap((one) => ("refused" in one ? one.refused : [])) };
    },
  };
  await publishTo(
    bus,
    keptLog(lines),
  )([
    changed("a", [good]),
    changed("b", [good, bad]),
    told("resource.deleted", "c", { was: {}, owners: [bad] }),
    changed("d", []),
  ]);
  assert.deepEqual(
    taken.map(({ id }) => id),
    ["resource.changed-a", "resource.changed-d", "resource.changed-b?", "resource.deleted-c?"],
  );
  const [, , again] = taken;
  assert.ok(parseEvent(again, catalogue).ok);
  const { differs, facts, incomplete, owners } = changedData(again);
  assert.deepEqual(
    { differs, facts, incomplete, owners },
    {
      differs: ["unknown"],
      facts: {},
      incomplete: true,
      owners: [good],
    },
  );
  assert.deepEqual(
    lines.map(({ level, fields }) => [level, fields.id]),
    [
      ["error", "resource.changed-b"],
      ["error", "resource.deleted-c"],
    ],
  );
});

test("what is refused even as its reference is told in the log, and holds nothing up", async () => {
  const lines: Parameters<typeof keptLog>[0] = [];
  let calls = 0;
  await publishTo(
    {
      publish: async (events) => {
        calls++;
        return { refused: events.map(({ id }, index) => ({ index, id, issues: ["no"] })) };
      },
    },
    keptLog(lines),
  )([changed("a", [])]);
  assert.equal(calls, 2);
  assert.equal(lines.length, 2);
});
