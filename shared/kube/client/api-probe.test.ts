import assert from "node:assert/strict";
import { test } from "vitest";
import { leapingClock } from "../../../infra/testing/leaping-clock.ts";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { KubeError, type KubeErrorKind } from "../errors.ts";
import { apiProbe } from "./api-probe.ts";

const answering = (kind: KubeErrorKind) =>
  apiProbe(
    {
      raw: async () => {
        throw new KubeError(kind, `it said ${kind}`, { request: "GET /readyz" });
      },
    },
    new ManualClock(),
  );

for (const kind of ["forbidden", "missing", "kindMissing", "throttled"] as const)
  test(`a server that answers ${kind} is there: it may serve nothing beside /api, and let nobody ask`, async () => {
    assert.equal(await answering(kind)(), undefined);
  });

for (const kind of ["unavailable", "unauthorized"] as const)
  test(`a server that answers ${kind} is away`, async () => {
    assert.equal(await answering(kind)(), `it said ${kind}`);
  });

const bare = (path: string, status: number, text: string) =>
  new KubeError("unavailable", `${path}: ${text} (${status})`, { request: path, status: { code: status } });

test("a proxy that serves nothing beside /api is told from one behind which no server answers", async () => {
  const asking = (serves: readonly string[]) =>
    apiProbe(
      {
        raw: async (_, path) => {
          if (!serves.includes(path)) throw bare(path, 404, "no such page");
        },
      },
      new ManualClock(),
    );
  assert.equal(await asking(["/api"])(), undefined);
  assert.equal(await asking([])(), "/api: no such page (404)");
});

test("a server that answers while this process is too busy to hear it is there, and one that hangs is away", async () => {
  const clock = leapingClock();
  const asked = Promise.withResolvers<void>();
  const heard = apiProbe({ raw: () => asked.promise }, clock)();
  clock.leap(20_000);
  asked.resolve();
  assert.equal(await heard, undefined);

  const hung = new ManualClock();
  const hangs = apiProbe(
    {
      raw: (_, path, { signal } = {}) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () =>
            reject(new KubeError("aborted", "cut off", { request: path })),
          );
        }),
    },
    hung,
  )();
  hung.advance(3_000);
  assert.equal(await hangs, "it did not answer within 3 s");
});
