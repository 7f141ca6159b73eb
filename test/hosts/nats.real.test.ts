import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { sonataflow } from "../../functions/sonataflow/index.ts";
import { applyCrds, planCrds } from "../../infra/cli/install/crds.ts";
import { functionsOf, ownKindsOf } from "../../infra/cli/install/declared.ts";
import { applyObjects, samplesOf } from "../../infra/cli/samples.ts";
import { startControllers } from "../../infra/local/controllers/index.ts";
import { startSimulator } from "../../infra/simulator/index.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { Resource } from "../../shared/kube/client.ts";
import { silent } from "../../shared/log/log.ts";
import { Stage } from "./stage.ts";

const LIMIT = 45_000;
const kind = (name: string, plural: string): Resource => ({
  group: "sonataflow.org",
  version: "v1alpha08",
  kind: name,
  plural,
  scope: "Namespaced",
});
const workflows = kind("SonataFlow", "sonataflows");

describe("hosts over NATS JetStream", { skip: skipWithoutNats() }, () => {
  it("one watcher and two workers share the work; readiness follows the server; a dead worker's run is taken over", async (t) => {
    const stage = await Stage.open(t);
    const nats = await startNatsServer();
    t.after(() => nats.stop());
    const environment = {
      REVEILLE_BUS_KIND: "nats",
      REVEILLE_BUS_NATS_SERVERS: nats.url,
      REVEILLE_BUS_NATS_LEASE_MILLISECONDS: "3000",
    };
    const watcher = await stage.host(["watcher"], environment);
    const first = await stage.host(["worker"], environment);
    const second = await stage.host(["worker"], environment);
    const hosts = [watcher, first, second];
    for (const host of hosts) await host.readyz(200);
    const many = Array.from({ length: 40 }, (_, index) => `one-${index}`);
    for (const name of many) await stage.make(name, { how: "well" });
    for (const name of many)
      await eventually(`${name} is done`, async () => (await stage.says(name)) === "went well", LIMIT);
    const done = 'reveille_runs_total{function="trouble",outcome="done"}';
    for (const worker of [first, second])
      assert.ok(((await worker.metric(done)) ?? 0) > 0, "both had work to do");
    assert.equal(await watcher.metric(done), undefined);

    await nats.kill();
    for (const host of hosts) await host.readyz(503, /bus: /);
    await stage.make("meanwhile", { how: "well" });
    await nats.start();
    for (const host of hosts) await host.readyz(200);
    await eventually("it is done", async () => (await stage.says("meanwhile")) === "went well", LIMIT);

    const [began, until] = [join(stage.folder, "began"), join(stage.folder, "until")];
    await stage.make("slow", { how: "slowly", began, until });
    await eventually("it runs", () => existsSync(began), LIMIT);
    for (const worker of [first, second]) worker.child.kill("SIGKILL");
    writeFileSync(until, "");
    const third = await stage.host(["worker"], environment);
    await third.readyz(200);
    await eventually("it is taken over", async () => (await stage.says("slow")) === "went slowly", LIMIT);
    watcher.child.kill("SIGTERM");
    assert.equal((await watcher.ended).code, 0);
    const before = Number(await third.metric(done));
    // Another prefix is another bus: all is looked at once more there.
    const other = { ...environment, REVEILLE_BUS_NATS_PREFIX: "other" };
    const fourth = await stage.host(["worker"], other);
    const next = await stage.host(["watcher"], other);
    await next.says('"because":"bus.replaced"');
    await eventually(
      "all are looked at",
      async () => ((await fourth.metric(done)) ?? 0) >= many.length,
      LIMIT,
    );
    assert.equal(await third.metric(done), before);
    for (const host of [third, fourth, next]) {
      host.child.kill("SIGTERM");
      assert.equal((await host.ended).code, 0);
    }
  });

  it("waits for a server that is not there yet, and says so", async (t) => {
    const stage = await Stage.open(t);
    const nats = await startNatsServer();
    t.after(() => nats.stop());
    await nats.kill();
    const worker = await stage.host(["worker"], {
      REVEILLE_BUS_KIND: "nats",
      REVEILLE_BUS_NATS_SERVERS: nats.url,
    });
    await worker.readyz(503, /bus: NATS at .* cannot be used/);
    await nats.start();
    await worker.readyz(200);
  });

  it("SonataFlow's samples settle", async (t) => {
    const stage = await Stage.open(t);
    const nats = await startNatsServer();
    t.after(() => nats.stop());
    const parts = { client: stage.client, clock: systemClock, log: silent };
    await applyCrds(
      stage.client,
      await planCrds(stage.client, ownKindsOf(functionsOf([sonataflow]))),
      systemClock,
    );
    const controllers = await startControllers(parts);
    t.after(() => controllers.stop());
    const simulator = await startSimulator({ ...parts, delayMilliseconds: 50 });
    t.after(() => simulator.stop());
    const environment = { REVEILLE_BUS_KIND: "nats", REVEILLE_BUS_NATS_SERVERS: nats.url };
    const words = ["--systems", "sonataflow"];
    const watcher = await stage.host(["watcher", ...words], environment);
    const workers = [
      await stage.host(["worker", ...words], environment),
      await stage.host(["worker", ...words], environment),
    ];
    for (const host of [watcher, ...workers]) await host.readyz(200);
    const samples = samplesOf("sonataflow");
    await applyObjects(stage.client, samples);
    const expected = samples.filter((one) => one.kind === "SonataFlow").length;
    assert.ok(expected > 0);
    await eventually(
      "all workflows run",
      async () => {
        const { items } = await stage.client.list(workflows);
        const running = items.filter((item) =>
          (
            item.status as { readonly conditions?: readonly { type: string; status: string }[] } | undefined
          )?.conditions?.some(({ type, status }) => type === "Running" && status === "True"),
        );
        return running.length === expected;
      },
      LIMIT,
    );
    for (const worker of workers)
      assert.equal(await worker.metric('reveille_items{function="sonataflow-workflows",state="dead"}'), 0);
  });
});
