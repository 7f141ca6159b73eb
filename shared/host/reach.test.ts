import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import * as z from "zod";
import { ManualClock } from "../../infra/testing/manual-clock.ts";
import { leaseOf } from "../../infra/testing/one-run.ts";
import type { RunEnding } from "../bus/contract.ts";
import { enqueue, fail, finish, freshKey, type KeyState, park, take } from "../bus/key-state.ts";
import { defaultRetry } from "../bus/retry.ts";
import { defineKind, definePort, defineSystem, each } from "../function/index.ts";
import { ConnectionPool } from "../kube/client/index.ts";
import type { KubeClient } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";
import { silent } from "../log/log.ts";
import { configuredFunctions } from "./configuration.ts";
import { Reach } from "./reach.ts";
import { hostWork } from "./work.ts";

class Jar extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Jar",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
  status: z.object({ level: z.int() }),
}) {}
const jar = {
  apiVersion: "unit.example.org/v1",
  kind: "Jar",
  metadata: { name: "one", namespace: "a", uid: "u", resourceVersion: "5", generation: 1 },
  spec: { size: 1 },
};
const charts = definePort("charts").of<{ load(): Promise<void> }>();
const KEY = { function: "pours", key: "c/unit.example.org/Jar/a/one" };

/** What fails in a step, and whether the API server or the port answer their probes then. */
interface Step {
  readonly fails: "nothing" | "paused" | "read" | "webhook" | "port" | "bug";
  readonly apiAway: boolean;
  readonly portAway: boolean;
}

const failing: Readonly<Record<string, () => Error>> = {
  paused: () => new KubeError("unavailable", "reset", { request: "GET configmaps" }),
  read: () => new KubeError("unavailable", "reset", { request: "GET jars" }),
  webhook: () => new KubeError("unavailable", 'failed calling webhook "jars.tenant"', { request: "PATCH" }),
  port: () => new Error("no route to the registry"),
  bug: () => new TypeError("undefined is not a function"),
};

/** Carries a key through these steps; gives what each run made of it. */
async function carried(steps: readonly Step[]): Promise<readonly { ending: RunEnding; state: KeyState }[]> {
  const clock = new ManualClock();
  let step: Step = { fails: "nothing", apiAway: false, portAway: false };
  const fault = (of: Step["fails"]): void => {
    if (step.fails === of) throw failing[of]?.();
  };
  const client: Partial<KubeClient> = {
    get: async ({ kind }) => {
      fault(kind === "ConfigMap" ? "paused" : "read");
      return kind === "ConfigMap" ? undefined : jar;
    },
    create: async (_, object) => object,
  };
  const system = defineSystem({
    name: "unit",
    functions: [
      each(Jar).function({
        name: "pours",
        uses: [charts],
        observe: async ({ use }) => {
          await use(charts).load();
          return {};
        },
        reconcile: () => {
          fault("webhook");
          fault("bug");
          return {};
        },
      }),
    ],
  });
  const load = async (): Promise<void> => fault("port");
  const probe = async (): Promise<string | undefined> => (step.portAway ? "no route" : undefined);
  const functions = configuredFunctions([system], {}, [charts.bind({ load }, probe)]);
  const pool = new ConnectionPool({
    home: { client: client as KubeClient, probe: async () => (step.apiAway ? "nothing listens" : undefined) },
    clock,
    random: () => 0,
  });
  const work = hostWork({
    functions,
    client: client as KubeClient,
    cluster: "c",
    bus: {} as never,
    clock,
    log: silent,
    nets: false,
    reach: new Reach(pool, functions),
  });
  let state = freshKey;
  const told = [];
  for (const each of steps) {
    step = each;
    // Longer than any pause between probes: the pool knows how it is.
    clock.advance(6_000);
    await new Promise<void>((resolve) => setImmediate(resolve));
    const now = clock.now();
    const item = {
      ...KEY,
      lane: "urgent" as const,
      cause: {
        sort: "own" as const,
        eventId: "e",
        type: "t",
        revives: true,
        at: new Date(now).toISOString(),
      },
    };
    const taken = take(enqueue(state, item, now), KEY, { owner: 1, token: 1, now }, defaultRetry);
    const ending = await work(leaseOf(taken.running.item));
    state =
      ending.state === "parked"
        ? park(taken, ending, now)
        : ending.state === "failed"
          ? fail(taken, ending, now, defaultRetry, 0).state
          : ending.state === "finished"
            ? finish({ ...taken, running: undefined }, ending, now)
            : taken;
    told.push({ ending, state });
  }
  pool.close();
  return told;
}

const step = fc.record({
  fails: fc.constantFrom<Step["fails"]>("nothing", "paused", "read", "webhook", "port", "bug"),
  apiAway: fc.boolean(),
  portAway: fc.boolean(),
});

test("a run that fails while a probe fails never raises attempts, and never dies", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      let attempts = 0;
      for (const [index, { ending, state }] of (await carried(steps)).entries()) {
        const { fails, apiAway, portAway } = steps[index] ?? { fails: "nothing" };
        if (apiAway || portAway) {
          assert.ok(state.attempts <= attempts, `${fails} raised attempts`);
          assert.ok(state.dead === undefined);
          if (fails !== "nothing") assert.equal(ending.state, "parked");
        }
        if (fails === "paused") assert.equal(state.attempts, attempts, "the question is about no key");
        attempts = state.attempts;
      }
    }),
    { numRuns: 60 },
  );
});

test("where the server answers, a failing webhook costs its key the attempts, and its key alone", async () => {
  const broken = { fails: "webhook", apiAway: false, portAway: false } as const;
  const told = await carried(Array.from({ length: 10 }, () => broken));
  assert.deepEqual(
    told.map(({ ending }) => ending.state),
    Array.from({ length: 10 }, () => "failed"),
  );
  assert.equal(told.at(-1)?.state.dead?.attempts, 10);
});

test("an outage of the API server of any length leaves no dead letter", async () => {
  const away = { fails: "read", apiAway: true, portAway: false } as const;
  const told = await carried([
    ...Array.from({ length: 50 }, () => away),
    { fails: "nothing", apiAway: false, portAway: false },
  ]);
  assert.deepEqual([told.at(-2)?.state.attempts, told.at(-2)?.state.waiting?.behind], [0, "api"]);
  assert.equal(told.at(-1)?.ending.state, "finished");
});
