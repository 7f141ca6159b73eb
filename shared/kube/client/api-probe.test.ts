import assert from "node:assert/strict";
import { test } from "vitest";
import { leapingClock } from "../../../infra/testing/leaping-clock.ts";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import type { Clock } from "../../clock/clock.ts";
import type { KubeClient } from "../client.ts";
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

/** Asks a server that answers once it is told to. */
function patient(clock: Clock) {
  const answer = Promise.withResolvers<void>();
  const raw: KubeClient["raw"] = (_, path, { signal } = {}) => {
    signal?.addEventListener("abort", () =>
      answer.reject(new KubeError("aborted", "cut off", { request: path })),
    );
    return answer.promise;
  };
  return { asked: apiProbe({ raw }, clock)(), answer: answer.resolve };
}

test("a server that answers while this process is too busy to hear it is there", async () => {
  const clock = leapingClock();
  const { asked, answer } = patient(clock);
  clock.leap(20_000);
  answer();
  assert.equal(await asked, undefined);
});

test("a server that hangs is away after three seconds", async () => {
  const clock = new ManualClock();
  const { asked } = patient(clock);
  clock.advance(3_000);
  assert.equal(await asked, "it did not answer within 3 s");
});
