import assert from "node:assert/strict";
import { it } from "vitest";
import { defineSystem, each } from "../../index.ts";
import { startEmbeddedEngine } from "../../infra/engine/index.ts";
import { connectionTo, requireControlPlane } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { installKinds } from "../../infra/testing/stack.ts";
import { clusterName } from "../../infra/watcher/index.ts";
import { defaultRetry } from "../../shared/bus/retry.ts";
import type { RunRecord } from "../../shared/bus/run-record.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { ConnectionPool, ownApiProbe } from "../../shared/kube/client/index.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { Tank, tank } from "./kinds.ts";
import { at, TANKS } from "./stage.ts";

const NAMES = Array.from({ length: 30 }, (_, index) => `t${index}`);
/** Ten attempts take some two seconds. */
const RETRY = { ...defaultRetry, initialMilliseconds: 10, maximumMilliseconds: 300 };
const OUTAGE_MILLISECONDS = 20_000;
const HEALED_MILLISECONDS = 30_000;

it("an API server that is killed for longer than ten attempts leaves no dead letter, and all is healed in 30 s", async (t) => {
  const plane = await requireControlPlane(t);
  if (plane === undefined) return;
  const connection = connectionTo(plane);
  const client = createKubeClient({ connection });
  const { probe, close } = ownApiProbe(connection, systemClock);
  const connections = new ConnectionPool({ home: { client, probe } });
  // Slow enough that many are on their way when the server dies.
  const level = each(Tank).function({
    name: "level",
    observe: async ({ self }) => {
      if (self.spec.size > 1) await systemClock.sleep(300);
      return {};
    },
    reconcile: ({ self }) => ({ status: { level: self.spec.size } }),
  });
  const systems = [defineSystem({ name: "test", functions: [level] })];
  await installKinds(client, systems);
  const engine = await startEmbeddedEngine({
    client,
    connections,
    cluster: await clusterName(client, "test"),
    systems,
    lease: false,
    bus: { retry: RETRY },
  });
  t.onTestFinished(async () => {
    await engine.stop();
    connections.close();
    close();
    client.close();
  });
  const runs: RunRecord[] = [];
  engine.bus.subscribe({ ran: (run) => runs.push(run) });
  const reach = async (size: number): Promise<boolean> => {
    const { items } = await client.list(TANKS);
    return (
      items.length === NAMES.length &&
      items.every(({ status }) => (status as { level?: number })?.level === size)
    );
  };
  const put = (size: number): Promise<unknown> =>
    Promise.all(
      NAMES.map((name) =>
        client.apply(TANKS, at(name), tank(name, { size }), { fieldManager: "somebody", force: true }),
      ),
    );
  await put(1);
  await eventually("all are answered", () => reach(1));
  await put(2);
  await eventually("some are on their way", () => runs.length > NAMES.length);
  await plane.apiserver.kill();
  const died = Date.now();
  await eventually("it is found away", () => connections.away[0]);
  await eventually("and stays so", () => Date.now() - died > OUTAGE_MILLISECONDS);
  assert.deepEqual(await engine.bus.deadLetters.list(), []);
  await plane.apiserver.restart();
  const returned = Date.now();
  await eventually("all are healed", () => reach(2).catch(() => false), 120_000);
  const took = Date.now() - returned;
  assert.ok(took <= HEALED_MILLISECONDS, `healed after ${took} ms`);
  assert.deepEqual(await engine.bus.deadLetters.list(), []);
  assert.ok(
    runs.some(({ outcome }) => outcome === "away"),
    "nothing was on its way",
  );
  // One failure may be answered by a probe that was quicker than the end of the server.
  assert.ok(runs.every(({ attempt }) => attempt <= 2));
});
