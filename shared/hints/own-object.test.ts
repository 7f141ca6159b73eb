import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { itemOf, leaseOf, runnerOf } from "../../infra/testing/one-run.ts";
import type { Cause, WorkItem } from "../bus/item.ts";
import { defineKind, each } from "../function/index.ts";
import type { KubeClient } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";
import type { KubeObject } from "../kube/object.ts";

class Jar extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Jar",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
  status: z.object({ level: z.int() }),
  facts: (it) => ({ size: it.spec.size }),
}) {}

const REQUEST = { request: "of a test" };
const KEY = "c/unit.example.org/Jar/a/one";
const jar = (resourceVersion: string): KubeObject => ({
  apiVersion: "unit.example.org/v1",
  kind: "Jar",
  metadata: { name: "one", namespace: "a", uid: "uid-one", resourceVersion, generation: 1 },
  spec: { size: Number(resourceVersion) },
});
const cause = (resourceVersion: string | undefined, sort: Cause["sort"] = "own"): Cause => ({
  sort,
  eventId: `event-${resourceVersion}`,
  type: "resource.changed",
  uid: "uid-one",
  resourceVersion,
  revives: true,
  at: "2026-01-15T10:00:00Z",
});
const item = (causes: readonly Cause[], more: Partial<WorkItem> = {}): WorkItem =>
  itemOf("fill", KEY, { causes, ...more });

/** A server that holds one Jar, and what was asked of it. */
function stage(answer: (resourceVersion: string | undefined) => KubeObject | undefined) {
  const asked: (string | undefined)[] = [];
  const sizes: number[] = [];
  let conflicts = 0;
  const client: Partial<KubeClient> = {
    get: async (_, __, options) => {
      asked.push(options?.resourceVersion);
      return answer(options?.resourceVersion);
    },
    apply: async (_, __, body) => {
      if (conflicts-- > 0) throw new KubeError("stale", "the object has been modified", REQUEST);
      return { ...jar("90"), ...body };
    },
  };
  const fill = each(Jar).function({
    name: "fill",
    reconcile: ({ self }) => {
      sizes.push(self.spec.size);
      return { status: { level: self.spec.size } };
    },
  });
  const work = runnerOf(fill, client);
  const run = (of: WorkItem, ahead?: unknown) => work(leaseOf(of, { ahead }));
  return {
    asked,
    sizes,
    work,
    run,
    conflictOnce: () => {
      conflicts = 1;
    },
  };
}

describe("the read of a run's own object", () => {
  const cases: readonly [string, WorkItem, string | undefined][] = [
    ["the version that woke it", item([cause("7")]), "7"],
    ["the newest of several, by number", item([cause("9"), cause("10"), cause("8")]), "10"],
    ["nothing, where others woke it", item([cause("7", "dependency")]), undefined],
    ["nothing, after a failure", item([cause("7")], { attempt: 2 }), undefined],
    ["nothing, where a version has no order", item([cause("v7")]), undefined],
    ["nothing, where no version is told", item([cause(undefined)]), undefined],
  ];
  for (const [name, woken, wanted] of cases)
    it(`asks for no older than ${name}`, async () => {
      const { run, asked } = stage(() => jar("12"));
      assert.equal((await run(woken)).state, "finished");
      assert.deepEqual(asked, [wanted]);
    });

  it("asks for what there is where the server never had the version", async () => {
    const { run, asked, sizes } = stage((resourceVersion) => {
      if (resourceVersion !== undefined) throw new KubeError("future", "Too large resource version", REQUEST);
      return jar("3");
    });
    assert.equal((await run(item([cause("7")]))).state, "finished");
    assert.deepEqual([asked, sizes], [["7", undefined], [3]]);
  });

  it("is not told twice where it was begun ahead", async () => {
    const { run, work, asked, sizes } = stage(() => jar("12"));
    const woken = item([cause("7")]);
    assert.equal((await run(woken, work.ahead?.(woken))).state, "finished");
    assert.deepEqual([asked, sizes], [["7"], [12]]);
  });

  it("begins anew, and with the newest, where what was read ahead is overtaken", async () => {
    let reads = 0;
    const { run, work, asked, sizes, conflictOnce } = stage(() => jar(String(++reads)));
    conflictOnce();
    const woken = item([cause("1")]);
    assert.equal((await run(woken, work.ahead?.(woken))).state, "finished");
    assert.deepEqual(
      [asked, sizes],
      [
        ["1", undefined],
        [1, 2],
      ],
    );
  });

  it("fails the run as any read does, and nobody where the key was not taken", async () => {
    const { run, work } = stage(() => {
      throw new KubeError("unavailable", "the server is away", REQUEST);
    });
    const woken = item([cause("7")]);
    work.ahead?.(woken);
    const end = await run(woken, work.ahead?.(woken));
    assert.equal(end.state === "failed" && end.error.code, "KUBE_UNAVAILABLE");
  });

  it("is not begun for what is no object: groups, sweeps, keys that are none, functions that are none", () => {
    const { work, asked } = stage(() => jar("1"));
    const none = { wake: 0, subject: { cluster: "c", name: "x" }, facts: [], gone: false, incomplete: true };
    for (const of of [
      item([], { key: "c/unit.example.org/Jar/a/*" }),
      item([], { key: "sweep:0:x", sweep: none }),
      item([], { key: "nonsense" }),
      item([], { key: "c/unit.example.org/Jar//=%" }),
      item([], { function: "other" }),
    ])
      assert.equal(work.ahead?.(of), undefined);
    assert.deepEqual(asked, []);
  });
});
