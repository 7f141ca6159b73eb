import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { ManualClock } from "../../infra/testing/manual-clock.ts";
import type { KubeClient } from "../kube/client.ts";
import { defineClusters } from "../kube/clusters.ts";
import type { Others } from "./clients.ts";
import { LentPlaces } from "./lent-places.ts";

const runtimes = defineClusters("runtime", {
  secret: { namespace: "kcp-system", label: "example.org/runtime", key: "config" },
});
const MAPS = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  scope: "Namespaced",
} as const;
const signal = AbortSignal.timeout(60_000);

function stage({ limit = 250, isHome = false, isSlow = false } = {}) {
  const clock = new ManualClock();
  const answers: PromiseWithResolvers<undefined>[] = [];
  const answer = () => {
    const next = Promise.withResolvers<undefined>();
    answers.push(next);
    return next.promise;
  };
  const client: Partial<KubeClient> = { get: answer, watch: () => answer() as never };
  const look = async () => {
    await answer();
    return { state: "reachable", reason: "" } as const;
  };
  const others: Others = {
    at: () => ({ client: client as KubeClient, look, isSlow }),
    heard: () => undefined,
    limit: () => limit,
  };
  const lent = new LentPlaces(clock, (isHome ? client : {}) as KubeClient);
  const told: number[] = [];
  const end = lent.subscribe((places) => told.push(places));
  const run = () => {
    const { client: own, look: ask } = lent.forRun(others).at(runtimes, "rt-1");
    return { get: () => own.get(MAPS, { name: "one", namespace: "default" }, { signal }), look: ask, own };
  };
  const answered = async (at: number) => {
    answers[at]?.resolve(undefined);
    // The answer passes through some promises.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { clock, run, told, answers, answered, end };
}

describe("a place is lent", () => {
  it("by a run that waits for another cluster, until it is answered", async () => {
    const { clock, run, told, answered } = stage();
    const waiting = run().get();
    clock.advance(249);
    assert.deepEqual(told, []);
    clock.advance(1);
    assert.deepEqual(told, [1]);
    await answered(0);
    await waiting;
    assert.deepEqual(told, [1, 0]);
  });

  it("once by each run, however many answers it waits for, and whichever it asks", async () => {
    const { clock, run, told, answered } = stage();
    const one = run();
    const waiting = [one.get(), one.look(), run().get()];
    clock.advance(250);
    assert.deepEqual(told, [1, 2]);
    await answered(0);
    assert.deepEqual(told, [1, 2]);
    await answered(1);
    await answered(2);
    assert.deepEqual(told, [1, 2, 1, 0]);
    await Promise.all(waiting);
  });

  it("and taken back where the answer is an error", async () => {
    const { clock, run, told, answers } = stage();
    const waiting = run().get();
    clock.advance(250);
    answers[0]?.reject(new Error("it is away"));
    await assert.rejects(waiting, /it is away/);
    assert.deepEqual(told, [1, 0]);
  });

  it("by no further run that asks for a cluster of which nobody knows whether it hangs", async () => {
    const { run, answers } = stage({ isSlow: true });
    await assert.rejects(run().look(), { code: "CLUSTER_SLOW" });
    assert.equal(answers.length, 0);
  });

  it("by a run that asks whether a cluster is there, and hears it however late: it would hear no more elsewhere", async () => {
    const { clock, run, told, answered } = stage();
    const waiting = run().look();
    clock.advance(5_000);
    assert.deepEqual(told, [1]);
    await answered(0);
    assert.deepEqual(await waiting, { state: "reachable", reason: "" });
    assert.deepEqual(told, [1, 0]);
  });

  it("later where all clusters are slow", () => {
    const { clock, run, told } = stage({ limit: 1_500 });
    void run().get();
    clock.advance(1_499);
    assert.deepEqual(told, []);
    clock.advance(1);
    assert.deepEqual(told, [1]);
  });

  it("by nobody who watches, or for whom the other cluster is the home", () => {
    const watching = stage();
    void watching.run().own.watch(MAPS, { signal } as never);
    const home = stage({ isHome: true });
    void home.run().get();
    for (const { clock, told } of [watching, home]) {
      clock.advance(10_000);
      assert.deepEqual(told, []);
    }
  });

  it("to nobody who no longer listens", () => {
    const { clock, run, told, end } = stage();
    void run().get();
    end();
    clock.advance(250);
    assert.deepEqual(told, []);
  });
});
