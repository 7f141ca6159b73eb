import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { reveille } from "../../infra/testing/command-line.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { openEmbeddedClient } from "../../shared/bus/embedded/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { pausedFunctions } from "../../shared/host/commands/index.ts";
import { silent } from "../../shared/log/log.ts";
import { Stage } from "./stage.ts";

const LIMIT = 60_000;

describe("hosts as processes", { concurrent: true }, () => {
  it("watch and work in one, tell how they are, and end when told", async (t) => {
    const stage = await Stage.open(t);
    const worker = await stage.host(["run"], {
      REVEILLE_CONFIGURATION_TROUBLES_GREETING: "hello",
      REVEILLE_LOG_LEVEL: "debug",
    });
    assert.deepEqual(await worker.ask("/healthz"), { status: 200, text: "ok\n" });
    await worker.readyz(200);
    await stage.make("one", { how: "well" });
    await eventually("its status says hello", async () => (await stage.says("one")) === "hello well", LIMIT);
    await eventually(
      "a run is counted",
      async () => ((await worker.metric('reveille_runs_total{function="trouble",outcome="done"}')) ?? 0) >= 1,
    );
    assert.equal(await worker.metric('reveille_writes_total{function="trouble",verb="status"}'), 1);
    assert.ok(((await worker.metric("reveille_published_events_total")) ?? 0) >= 1);
    assert.equal(await worker.metric("reveille_bus_up"), 1);
    assert.equal(await worker.metric('reveille_items{function="trouble",state="dead"}'), 0);
    assert.ok(((await worker.metric('reveille_api_requests_total{verb="apply",code="200"}')) ?? 0) >= 1);
    assert.ok(((await worker.metric('reveille_reconcile_seconds_count{function="trouble"}')) ?? 0) >= 1);
    assert.match((await worker.ask("/metrics")).text, /reveille_build_info\{version="[^"]+",node="v24/);
    assert.match(worker.stdout(), /"outcome":"done".*"trace_id":"[0-9a-f]{32}","span_id":"[0-9a-f]{16}"/);
    assert.equal((await worker.ask("/nothing")).status, 404);
    assert.equal(await worker.metric('reveille_paused_seconds{function="trouble"}'), undefined);
    const paused = { paused: true, at: "2026-01-15T10:00:00.000Z", command: "1", askedBy: "alice" };
    const kept = pausedFunctions({ client: stage.client, clock: systemClock, log: silent });
    assert.equal((await kept.set("trouble", paused)).outcome, "done");
    assert.ok(((await worker.metric('reveille_paused_seconds{function="trouble"}')) ?? 0) > 3_600);
    worker.child.kill("SIGTERM");
    assert.equal((await worker.ended).code, 0);
  });

  it("say that the API server is away, before they have met it and after, and go on when it is back", async (t) => {
    const stage = await Stage.open(t);
    await stage.stopApi();
    const host = await stage.host(["run"]);
    assert.match(await host.readyz(503, /api: /), /bus: it is not open yet/);
    assert.equal((await host.ask("/healthz")).status, 200);
    await stage.startApi();
    await host.readyz(200);
    await stage.stopApi();
    await host.readyz(503, /^api: .*(answers|ECONNREFUSED)/m);
    await stage.startApi();
    await host.readyz(200);
    await stage.make("one", { how: "well" });
    await eventually("its status says so", async () => (await stage.says("one")) === "went well", LIMIT);
  });

  it("let what runs end when told to, and end at once when told twice", async (t) => {
    const stage = await Stage.open(t);
    const [began, until] = [join(stage.folder, "began"), join(stage.folder, "until")];
    const worker = await stage.host(["run"]);
    await worker.readyz(200);
    await stage.make("slow", { how: "slowly", began, until });
    await eventually("it runs", () => existsSync(began), LIMIT);
    worker.child.kill("SIGTERM");
    await worker.readyz(503, /told to end/);
    await stage.make("late", { how: "well" });
    writeFileSync(until, "");
    assert.equal((await worker.ended).code, 0);
    assert.equal(await stage.says("slow"), "went slowly");
    assert.equal(await stage.says("late"), undefined);

    const again = join(stage.folder, "again");
    const next = await stage.host(["run"]);
    await next.readyz(200);
    await eventually("what waited is done", async () => (await stage.says("late")) === "went well", LIMIT);
    await stage.make("stuck", { how: "for ever", began: again });
    await eventually("it runs", () => existsSync(again), LIMIT);
    next.child.kill("SIGTERM");
    await next.readyz(503, /told to end/);
    await eventually("it ends", () => {
      next.child.kill("SIGTERM");
      return next.child.exitCode ?? undefined;
    });
    assert.equal((await next.ended).code, 143);
  });

  it("give back what does not end in time", async (t) => {
    const stage = await Stage.open(t);
    const began = join(stage.folder, "began");
    const worker = await stage.host(["run"], { REVEILLE_DRAIN_LIMIT: "300ms" });
    await worker.readyz(200);
    await stage.make("stuck", { how: "for ever", began });
    await eventually("it runs", () => existsSync(began), LIMIT);
    worker.child.kill("SIGTERM");
    assert.equal((await worker.ended).code, 0);
    const bus = openEmbeddedClient({ file: stage.busFile, route: () => [], clock: systemClock });
    t.onTestFinished(() => bus.close());
    const { waiting, running } = (await bus.counts()).trouble ?? {};
    assert.deepEqual({ waiting, running }, { waiting: 1, running: 0 });
  });

  it("cut off a run at its time limit, and give it up after its attempts; others go on", async (t) => {
    const stage = await Stage.open(t);
    const worker = await stage.host(["run"], {
      REVEILLE_RUNS_LIMIT: "5s",
      REVEILLE_RUNS_MAXIMUM_ATTEMPTS: "2",
      REVEILLE_WORKER_PARALLEL: "1",
    });
    await worker.readyz(200);
    await stage.make("stuck", { how: "for ever" });
    await stage.make("fine", { how: "well" });
    await eventually("the other one is done", async () => (await stage.says("fine")) === "went well", LIMIT);
    await eventually(
      "it is given up",
      async () => (await worker.metric('reveille_items{function="trouble",state="dead"}')) === 1,
      LIMIT,
    );
    assert.match(worker.stdout(), /RUN_TOO_LONG/);
    const bus = {
      REVEILLE_BUS_EMBEDDED_FILE: stage.busFile,
      REVEILLE_SYSTEMS: "none",
      REVEILLE_FUNCTIONS: join(import.meta.dirname, "troubles.ts"),
    };
    const list = await reveille(t, ["dead-letters", "list"], bus);
    assert.match(list.stdout, /1 +trouble +Trouble default\/stuck +2 /, list.stderr);
    const logs = await reveille(t, ["logs", "trouble"], bus);
    assert.match(logs.stdout, /trouble Trouble default\/fine │ status/, logs.stderr);
    const again = await reveille(t, ["dead-letters", "redrive", "1"], bus);
    assert.equal(again.stdout, "trouble looks at Trouble default/stuck again\n", again.stderr);
    assert.ok(((await worker.metric('reveille_repeated_attempts_total{function="trouble"}')) ?? 0) >= 1);
  });

  it("count an attempt that killed its host, and give the key up after the last; others go on", async (t) => {
    const stage = await Stage.open(t);
    const attempts = { REVEILLE_RUNS_MAXIMUM_ATTEMPTS: "3" };
    let died = 0;
    let worker = await stage.host(["run"], attempts);
    await worker.readyz(200);
    await stage.make("deadly", { how: "deadly" });
    for (; died < 3; died++) {
      const { code } = await worker.ended;
      assert.equal(code, null, `it was killed the ${died + 1}. time`);
      worker = await stage.host(["run"], attempts);
    }
    await stage.make("fine", { how: "well" });
    await eventually("the other one is done", async () => (await stage.says("fine")) === "went well", LIMIT);
    await eventually(
      "it is given up",
      async () => (await worker.metric('reveille_items{function="trouble",state="dead"}')) === 1,
      LIMIT,
    );
    const bus = openEmbeddedClient({ file: stage.busFile, route: () => [], clock: systemClock });
    t.onTestFinished(() => bus.close());
    const [dead] = await bus.deadLetters.list();
    assert.equal(dead?.error.code, "BUS_HOST_DIED");
    assert.equal(dead?.attempts, 3);
  });

  it("resync every key after another configuration or another bus, and only then", async (t) => {
    const stage = await Stage.open(t);
    const swept = "resyncing every key of these functions";
    const again = async (environment: NodeJS.ProcessEnv = {}) => {
      const worker = await stage.host(["run"], environment);
      await worker.readyz(200);
      return {
        worker,
        end: async () => {
          worker.child.kill("SIGTERM");
          assert.equal((await worker.ended).code, 0);
        },
      };
    };
    const first = await again();
    await stage.make("one", { how: "well" });
    await eventually("it is done", async () => (await stage.says("one")) === "went well", LIMIT);
    await first.end();
    assert.ok(!first.worker.stdout().includes(swept), "it is new");

    const second = await again({ REVEILLE_CONFIGURATION_TROUBLES_GREETING: "hello" });
    await eventually("it is done anew", async () => (await stage.says("one")) === "hello well", LIMIT);
    await second.end();
    assert.match(second.worker.stdout(), /"because":"function.changed","functions":\["trouble"\]/);

    const third = await again({ REVEILLE_CONFIGURATION_TROUBLES_GREETING: "hello" });
    await third.end();
    assert.ok(!third.worker.stdout().includes(swept), "all is as it was");

    for (const end of ["", "-wal", "-shm", ".journal"]) rmSync(stage.busFile + end, { force: true });
    const fourth = await again({ REVEILLE_CONFIGURATION_TROUBLES_GREETING: "hello" });
    const done = 'reveille_runs_total{function="trouble",outcome="done"}';
    await eventually("it is looked at", async () => ((await fourth.worker.metric(done)) ?? 0) > 0, LIMIT);
    await fourth.end();
    assert.match(fourth.worker.stdout(), /"because":"bus.replaced"/);
  });

  it("tell metrics elsewhere where they are told to, and say that an address is taken", async (t) => {
    const stage = await Stage.open(t);
    const worker = await stage.host(["run"], { REVEILLE_METRICS_LISTEN: "127.0.0.1:0" });
    assert.equal((await worker.ask("/metrics")).status, 404);
    const metrics = /"metrics":"([^"]+)"/.exec(worker.stdout())?.[1] ?? "";
    assert.match(await (await fetch(metrics)).text(), /^reveille_build_info/m);
    const health = /"health":"http:\/\/([^"]+)"/.exec(worker.stdout())?.[1] ?? "";
    const second = await reveille(t, ["run", "--systems", "none"], {
      REVEILLE_HEALTH_LISTEN: health,
      REVEILLE_BUS_EMBEDDED_FILE: ":memory:",
    });
    assert.equal(second.code, 1);
    assert.match(second.stderr, /^error: 127\.0\.0\.1:\d+ cannot be listened on/);
  });

  it("have the embedded bus for themselves: a second one, a watcher and a worker are refused, and told what to do", async (t) => {
    const stage = await Stage.open(t);
    const first = await stage.host(["run"]);
    await first.readyz(200);
    const words = ["--systems", "none", "--kubeconfig", stage.kubeconfig];
    const bus = { REVEILLE_BUS_EMBEDDED_FILE: stage.busFile };
    const second = await reveille(t, ["run", ...words], bus);
    assert.equal(second.code, 1);
    assert.match(
      second.stderr,
      new RegExp(`^error: .*bus\\.db belongs to process ${first.child.pid} on .*bus\\.kind: nats`),
    );
    for (const host of ["watcher", "worker"]) {
      const { code, stderr } = await reveille(t, [host, ...words], bus);
      assert.equal(code, 1);
      assert.match(stderr, /^error: .*`reveille run`.*bus\.kind: nats/);
    }
    await first.readyz(200);
  });
});
