import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { reveille } from "../../infra/testing/command-line.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import { samplesSettle } from "./samples-settle.ts";
import { Stage } from "./stage.ts";

const LIMIT = 60_000;
describe("hosts over NATS JetStream", { skip: skipWithoutNats() !== false }, () => {
  it("one watcher and two workers share the work; readiness follows the server; a dead worker's run is taken over", async (t) => {
    const stage = await Stage.open(t);
    const nats = await startNatsServer();
    t.onTestFinished(() => nats.stop());
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
    t.onTestFinished(() => nats.stop());
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
    const nats = await startNatsServer();
    t.onTestFinished(() => nats.stop());
    await samplesSettle(t, { REVEILLE_BUS_KIND: "nats", REVEILLE_BUS_NATS_SERVERS: nats.url });
  });

  it("several watchers stand by for one that leads", async (t) => {
    const stage = await Stage.open(t);
    const nats = await startNatsServer();
    t.onTestFinished(() => nats.stop());
    const bus = { REVEILLE_BUS_KIND: "nats", REVEILLE_BUS_NATS_SERVERS: nats.url };
    const lease = { ...bus, REVEILLE_WATCHER_LEASE_DURATION: "10s" };
    const first = await stage.host(["watcher"], lease);
    await first.readyz(200);
    const second = await stage.host(["watcher"], {
      ...lease,
      REVEILLE_WATCHER_LEDGER: join(stage.folder, "second.db"),
    });
    await second.readyz(200);
    const worker = await stage.host(["worker"], bus);
    await worker.readyz(200);
    assert.equal(await first.metric("reveille_watcher_leader"), 1);
    assert.equal(await second.metric("reveille_watcher_leader"), 0);
    await stage.make("one", { how: "well" });
    await eventually("its status says so", async () => (await stage.says("one")) === "went well", LIMIT);
    const status = () =>
      reveille(t, ["status"], {
        REVEILLE_SYSTEMS: "none",
        REVEILLE_FUNCTIONS: join(import.meta.dirname, "troubles.ts"),
        ...bus,
        REVEILLE_CLUSTER_KUBECONFIG: stage.kubeconfig,
      });
    const told = await status();
    assert.match(told.stdout, /^Bus: nats\n.*\nWatcher: .*\/ledger\.db leads\n/, told.stderr);
    assert.match(told.stdout, /^trouble +0 +0 +0 +0 /m);
    first.child.kill("SIGKILL");
    await stage.make("two", { how: "well" });
    await eventually(
      "the other watcher leads",
      async () => (await second.metric("reveille_watcher_leader")) === 1,
      LIMIT,
    );
    await eventually("its status says so", async () => (await stage.says("two")) === "went well", LIMIT);
    assert.match((await status()).stdout, /\/second\.db leads/);
    second.child.kill("SIGKILL");
    await eventually(
      "it is told that nobody leads",
      async () => /second\.db led and has been silent since/.test((await status()).stdout),
      LIMIT,
    );
  });
});
