import assert from "node:assert/strict";
import { eventually } from "../../../infra/testing/eventually.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";
import { type Component, imageOf } from "./releases.ts";
import type { Scenarios } from "./scenario.ts";
import { allWell, installed, moveTo, pass, type Stage, startStage } from "./stage.ts";

const OLD = "5.1.9";
const NEW = "5.2.0";
const DNS: Component = { name: "dns", level: "70" };

/** D of `D of T done`, of what the ClusterVersion says now. */
async function doneOf(stage: Stage): Promise<number> {
  const text = (await stage.says()).conditions.Progressing ?? "";
  return Number(/(\d+) of \d+ done/.exec(text)?.[1] ?? Number.NaN);
}

/** Forty tasks: a namespace, two components of three, and at the end a long list. */
const forty: readonly Component[] = [
  { name: "base", level: "10", files: { "20_more": configMapNamed("base-more") } },
  {
    name: "early",
    level: "20",
    files: Object.fromEntries(range(7).map((at) => [`2${at}_x`, configMapNamed(`early-${at}`)])),
  },
  {
    name: "late",
    level: "30",
    files: Object.fromEntries(range(25).map((at) => [`${at + 20}_x`, configMapNamed(`late-${at}`)])),
  },
];
function range(length: number): readonly number[] {
  return Array.from({ length }, (_, at) => at);
}
function configMapNamed(name: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name,
      namespace: "demo",
      annotations: { "include.release.openshift.io/self-managed-high-availability": "true" },
    },
    data: { name },
  });
}

/** Deaths, races, and news that comes late. */
export const faults: Scenarios = [
  {
    number: 7,
    name: "a wait for the end of an update does not end with what was said before it was asked for",
    async run(stage) {
      await installed(stage, OLD, [DNS]);
      const letGo = stage.holdPayloads();
      stage.release(NEW, [DNS]);
      await stage.ask({ desiredUpdate: { version: NEW, image: imageOf(NEW) } });
      await eventually("the release to be looked at", async () =>
        (await stage.says()).conditions.ReleaseAccepted?.startsWith("Unknown RetrievePayload"),
      );
      const meanwhile = await stage.get(ClusterVersion, "version");
      assert.equal((await stage.says()).conditions.Progressing, `False Cluster version is ${OLD}`);
      assert.ok((meanwhile?.status?.observedGeneration ?? 0) < (meanwhile?.metadata.generation ?? 0));
      letGo();
      await stage.settled();
      const after = await stage.get(ClusterVersion, "version");
      assert.equal(after?.status?.observedGeneration, after?.metadata.generation);
      assert.match((await stage.says()).conditions.Progressing ?? "", /^True /);
    },
  },
  {
    number: 29,
    name: "a worker that dies on its way goes on where it was, and waits keep their age",
    async run(stage) {
      await installed(stage, OLD, forty);
      await moveTo(stage, NEW, forty);
      await allWell(stage, NEW, ["base"]);
      const before = await doneOf(stage);
      assert.ok(before >= 12, `${before}`);
      await pass(stage, 20);
      await stage.restart();
      await stage.settled();
      assert.equal(await doneOf(stage), before);
      await pass(stage, 11);
      const { conditions } = await stage.says();
      assert.match(conditions.Failing ?? "", /^Unknown SlowClusterOperator waiting on early over 30 minutes/);
      await allWell(stage, NEW, ["early", "late"]);
      assert.equal((await stage.says()).history[0], `${NEW} Completed`);
    },
  },
  {
    number: 30,
    name: "two workers that race come to one status, with one entry in the history",
    async run(stage) {
      await installed(stage, OLD, [DNS]);
      const other = await startStage({ api: stage.stack.api, clock: stage.clock });
      try {
        other.release(OLD, [DNS]);
        other.release(NEW, [DNS]);
        await Promise.all([moveTo(stage, NEW, [DNS]), other.settled()]);
        await Promise.all([allWell(stage, NEW, ["dns"]), other.settled()]);
        await Promise.all([stage.settled(), other.settled()]);
        const { history, conditions } = await stage.says();
        assert.deepEqual(history, [`${NEW} Completed`, `${OLD} Completed`]);
        assert.equal(conditions.Progressing, `False Cluster version is ${NEW}`);
      } finally {
        await other.stack.engine.stop();
      }
    },
  },
  {
    number: 31,
    name: "news of an older state that comes late changes nothing",
    async run(stage) {
      const heard: Parameters<typeof stage.stack.engine.bus.publish>[0][number][] = [];
      const stop = stage.stack.engine.bus.subscribe({ published: (event) => void heard.push(event) });
      await installed(stage, OLD, [DNS]);
      await moveTo(stage, NEW, [DNS]);
      await allWell(stage, NEW, ["dns"]);
      stop();
      const before = await stage.get(ClusterVersion, "version");
      assert.equal(before?.status?.history?.[0]?.state, "Completed");
      const old = heard.filter(({ subject = "" }) => /ClusterOperator|ClusterVersion/.test(subject));
      assert.ok(old.length > 0);
      await stage.stack.engine.bus.publish(old.map((event, at) => ({ ...event, id: `late-${at}` })));
      await stage.settled();
      const after = await stage.get(ClusterVersion, "version");
      assert.deepEqual(after?.status, before.status);
      assert.equal(after?.metadata.resourceVersion, before.metadata.resourceVersion);
      assert.ok(await stage.get(ClusterOperator, "dns"));
    },
  },
];
