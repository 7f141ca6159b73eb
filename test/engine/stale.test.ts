import assert from "node:assert/strict";
import { describe, it, type TestContext } from "vitest";
import { changed, each, note, own, setStatus, TerminalError, unwatched } from "../../index.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import type { Stack } from "../../infra/testing/stack.ts";
import { wrapClient } from "../../infra/testing/wrapped-client.ts";
import type { FunctionDeclaration } from "../../shared/function/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { Pump, pump, Tank, tank } from "./kinds.ts";
import { at, MAPS, PUMPS, stage, TANKS } from "./stage.ts";

describe("what a run rests on, on the local API", () => {
  const api = stage();
  const { statusOf } = api;
  const run = (
    t: TestContext,
    functions: readonly FunctionDeclaration[],
    engineClient?: (client: KubeClient) => KubeClient,
  ): Promise<Stack> =>
    api.run(t, functions, {
      engine: { maximumAttempts: 2 },
      ...(engineClient !== undefined && { engineClient }),
    });
  const dead = async (stack: Stack): Promise<readonly string[]> =>
    (await stack.engine.bus.deadLetters.list()).map(({ error }) => `${error.code}: ${error.message}`);

  it("adopts a child that a list by owner, or by label, did not show", async (t) => {
    await api.client.apply(
      MAPS,
      at("listed-child"),
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { ...at("listed-child"), annotations: { "reveille.dev/adopt": "Tank/lister" } },
        data: { theirs: "stays" },
      },
      { fieldManager: "somebody" },
    );
    const stack = await run(t, [
      each(Tank).function({
        name: "lists",
        owns: [ConfigMap],
        observe: async ({ self, read }) => ({ mine: await read.list(ConfigMap, { ownedBy: self }) }),
        reconcile: ({ self, mine }) => ({
          effects: own(self, ConfigMap, { metadata: { name: "listed-child" }, data: { ours: "added" } }),
          status: { level: mine.length },
        }),
      }),
    ]);
    await stack.apply(tank("lister", { size: 1 }));
    await stack.settled();
    assert.deepEqual(await dead(stack), []);
    const child = await api.client.get(MAPS, at("listed-child"));
    assert.deepEqual(child?.data, { theirs: "stays", ours: "added" });
    assert.deepEqual(
      await statusOf("lister"),
      { level: 1 },
      "its event is no echo: the list had not shown it",
    );
  });

  it("writes no status that was decided on an older self than a list read later", async (t) => {
    const written: unknown[] = [];
    let edited = false;
    const stack = await run(
      t,
      [
        each(Tank).function({
          name: "siblings",
          observe: async ({ read }) => {
            if (!edited) {
              edited = true;
              await api.client.patch(
                TANKS,
                at("older"),
                "merge",
                { spec: { size: 2 } },
                { fieldManager: "somebody" },
              );
            }
            return { all: await read.list(Tank) };
          },
          reconcile: ({ self }) => ({ status: { level: self.spec.size } }),
        }),
      ],
      (client) =>
        wrapClient(client, async (request, send) => {
          const answer = await send();
          if (request.status) written.push((answer as KubeObject).status);
          return answer;
        }),
    );
    await stack.apply(tank("older", { size: 1 }));
    await stack.settled();
    assert.deepEqual(written, [{ level: 2 }]);
  });

  it("decides again where what it writes to went away meanwhile", async (t) => {
    let reads = 0;
    const stack = await run(t, [
      each(Tank, { status: ["note"] }).function({
        name: "gone",
        wakes: [changed(Pump).toEach(() => false)],
        writes: [Pump],
        observe: async ({ read }) => {
          const found = await read.get(Pump, at("going"));
          reads += 1;
          if (found !== undefined) await api.client.delete(PUMPS, at("going"), { uid: undefined });
          return { found };
        },
        reconcile: ({ found }) =>
          found === undefined
            ? { status: { note: "gone" } }
            : { effects: setStatus(Pump, found, { running: true }), status: { note: "runs" } },
      }),
    ]);
    await stack.apply(pump("going", 1));
    await stack.apply(tank("writer", { size: 1 }));
    await stack.settled();
    assert.deepEqual(await dead(stack), []);
    assert.deepEqual(await statusOf("writer"), { note: "gone" });
    assert.equal(reads, 2);
  });

  it("shows a terminal failure although the object changed since it was read", async (t) => {
    let edited = false;
    const stack = await run(t, [
      each(Tank).function({
        name: "fails",
        observe: async () => {
          if (edited) return;
          edited = true;
          await api.client.patch(
            TANKS,
            at("failing"),
            "merge",
            { metadata: { labels: { harmless: "yes" } } },
            { fieldManager: "somebody" },
          );
        },
        reconcile: () => {
          throw new TerminalError("no");
        },
        failed: (_, error) => ({ error: error.code }),
      }),
    ]);
    await stack.apply(tank("failing", { size: 1 }));
    await stack.settled();
    assert.deepEqual(await statusOf("failing"), { error: "TERMINAL" });
  });

  it("does its work where it may not write Events, and keeps in the history that it may not", async (t) => {
    const stack = await run(
      t,
      [
        each(Tank).function({
          name: "notes",
          reconcile: ({ self }) => ({
            effects: note(self, "Normal", "Seen", "It was seen."),
            status: { level: self.spec.size },
          }),
        }),
      ],
      withoutEvents,
    );
    await stack.apply(tank("noted", { size: 3 }));
    await stack.settled();
    assert.deepEqual(await dead(stack), []);
    assert.deepEqual(await statusOf("noted"), { level: 3 });
    const writes = stack.runs().flatMap((one) => one.writes);
    assert.match(writes.find(({ verb }) => verb === "note")?.error ?? "", /may not/);
  });

  it("shows a failure in the status where it may not write Events", async (t) => {
    const stack = await run(
      t,
      [
        each(Tank).function({
          name: "mute",
          reconcile: () => {
            throw new TerminalError("never");
          },
          failed: (_, error) => ({ error: error.message }),
        }),
      ],
      withoutEvents,
    );
    await stack.apply(tank("muted", { size: 3 }));
    await stack.settled();
    assert.deepEqual(await statusOf("muted"), { error: "never" });
  });

  it("refuses to wait for an object whose changes nobody watches", async (t) => {
    const stack = await run(t, [
      each(Tank).function({
        name: "waits-blindly",
        reads: [unwatched(ConfigMap, "for this test")],
        reconcile: () => ({
          waitingFor: [{ for: "a map", object: { apiVersion: "v1", kind: "ConfigMap", ...at("never") } }],
        }),
      }),
    ]);
    await stack.apply(tank("blind", { size: 1 }));
    await stack.settled();
    assert.match(
      (await dead(stack)).join(),
      /^OUTCOME_WAIT: waits-blindly waits for ConfigMap .*changed\(ConfigMap\)/,
    );
  });

  it("waits where the child of a former owner of the same name cannot go, and makes it anew once it is gone", async (t) => {
    const stack = await run(t, [
      each(Tank).function({
        name: "anew",
        owns: [ConfigMap],
        reconcile: ({ self }) => ({
          effects: own(self, ConfigMap, {
            metadata: { name: "anew" },
            data: { size: String(self.spec.size) },
          }),
          status: { level: self.spec.size },
        }),
      }),
    ]);
    await stack.apply(tank("anew", { size: 1 }));
    await stack.settled();
    const hold = { metadata: { finalizers: ["test.example.org/hold"] } };
    await api.client.patch(MAPS, at("anew"), "merge", hold, { fieldManager: "somebody" });
    await api.client.delete(TANKS, at("anew"), { uid: undefined });
    await stack.apply(tank("anew", { size: 2 }));
    await eventually("a run to find the former owner's child", () =>
      stack.runs().some(({ error, outcome }) => error?.code === "OWNED_BY_FORMER" && outcome === "waiting"),
    );
    const free = { metadata: { finalizers: null } };
    await api.client.patch(MAPS, at("anew"), "merge", free, { fieldManager: "somebody" });
    await stack.settled();
    assert.deepEqual((await api.client.get(MAPS, at("anew")))?.data, { size: "2" });
    assert.deepEqual(
      stack.runs().filter(({ outcome }) => outcome === "retry"),
      [],
      "no attempt is charged",
    );
    assert.deepEqual(await dead(stack), []);
  });
});

function withoutEvents(client: KubeClient): KubeClient {
  return wrapClient(client, async (request, send) => {
    if (request.verb !== "create") return send();
    throw new KubeError("forbidden", "reveille may not create events.", { request: "POST events" });
  });
}
