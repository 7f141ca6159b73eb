import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "vitest";
import { reveille } from "../../infra/testing/command-line.ts";
import { environmentOf, startEmulatedAws } from "../../infra/testing/emulated-aws.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import type { Invocation } from "../../shared/host/console/index.ts";
import { Stage, troubles } from "./stage.ts";

const LIMIT = 60_000;
const event = (type: string, data: unknown, id: string): string =>
  JSON.stringify({ specversion: "1.0", id, type, source: "/people", data });
const target = { group: "hosts.example.org", kind: "Trouble", namespace: "default" };

const buses = [
  {
    name: "NATS JetStream",
    skip: skipWithoutNats() !== false,
    start: async (t: TestContext): Promise<Readonly<Record<string, string>>> => {
      const nats = await startNatsServer();
      t.onTestFinished(() => nats.stop());
      return { REVEILLE_BUS_KIND: "nats", REVEILLE_BUS_NATS_SERVERS: nats.url };
    },
  },
  {
    name: "SQS",
    skip: false,
    start: async (t: TestContext): Promise<Readonly<Record<string, string>>> => {
      const aws = await startEmulatedAws(["trouble"]);
      t.onTestFinished(() => aws.stop());
      return environmentOf(aws);
    },
  },
];

for (const { name, skip, start } of buses)
  test(`commands over ${name} pause a function in every process, resume it, and let it be invoked by hand from another`, {
    skip,
    timeout: 240_000,
  }, async (t) => {
    const stage = await Stage.open(t);
    const token = join(stage.folder, "token");
    writeFileSync(token, "opensesame\n");
    const environment = {
      ...(await start(t)),
      REVEILLE_SERVE_CALLERS: JSON.stringify({ ci: { tokenFile: token } }),
    };
    const watcher = await stage.host(["watcher"], environment);
    const workers = [await stage.host(["worker"], environment), await stage.host(["worker"], environment)];
    const serve = await stage.host(["serve", "--listen", "127.0.0.1:0"], environment);
    for (const host of [watcher, ...workers, serve]) await host.readyz(200);
    await serve.says('"ready"');
    const url = /"serves":"([^"]+)"/.exec(serve.stdout())?.[1] ?? "";
    const post = async (
      path: string,
      body: string,
    ): Promise<{ readonly status: number; readonly text: string }> => {
      const headers = { authorization: "Bearer opensesame", "content-type": "application/cloudevents+json" };
      const response = await fetch(url + path, { method: "POST", body, headers });
      return { status: response.status, text: await response.text() };
    };
    const isPaused = async (): Promise<boolean> => {
      const place = { namespace: "reveille-system", name: "reveille-paused" };
      const kept = await stage.client.get(
        { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", scope: "Namespaced" },
        place,
      );
      return /\\"paused\\":true/.test(JSON.stringify(kept?.data ?? {}));
    };

    assert.equal((await post("/events", event("command.pause", { function: "trouble" }, "p1"))).status, 202);
    await eventually("it is paused", isPaused, LIMIT);
    // Every process asks again within five seconds; a run by hand says that it is left alone.
    await stage.make("one", { how: "well" });
    const changed = event(
      "command.reconcile",
      { function: "trouble", key: "any/hosts.example.org/Trouble/default/one", askedBy: "ci" },
      "i1",
    );
    await eventually(
      "a run by hand is parked",
      async () => (await post("/functions/trouble/invoke", changed)).text.includes('"outcome":"parked"'),
      LIMIT,
    );
    assert.equal(await stage.says("one"), undefined);

    assert.equal((await post("/events", event("command.resume", { function: "trouble" }, "r1"))).status, 202);
    await eventually(
      "what was left alone is done",
      async () => (await stage.says("one")) === "went well",
      LIMIT,
    );
    // The pause comes once more, late: it is over.
    assert.equal((await post("/events", event("command.pause", { function: "trouble" }, "p1"))).status, 202);
    const object = event("command.pause", { object: { ...target, name: "one" } }, "p2");
    assert.equal((await post("/events", object)).status, 202);
    await eventually(
      "the object is paused",
      async () =>
        (await stage.client.get(troubles, { namespace: "default", name: "one" }))?.metadata.annotations?.[
          "reveille.dev/paused"
        ] === "true",
      LIMIT,
    );
    assert.equal(await isPaused(), false);
    const invoked = await post("/functions/trouble/invoke", changed);
    assert.equal(invoked.status, 200);
    assert.match(invoked.text, /"state":"ended".*"outcome":"parked"/);
    const settings = join(stage.folder, "reveille.json");
    const { kubeconfig } = stage;
    const functions = [join(import.meta.dirname, "troubles.ts")];
    writeFileSync(settings, JSON.stringify({ cluster: { kubeconfig }, systems: [], functions }));
    writeFileSync(join(stage.folder, "event.json"), changed);
    const invoke = async (...words: readonly string[]): Promise<Invocation> => {
      const command = ["invoke", "trouble", "--event", join(stage.folder, "event.json")];
      const { code, stdout, stderr } = await reveille(
        t,
        [...command, "--config", settings, ...words],
        environment,
      );
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout) as Invocation;
    };
    const dry = await invoke("--dry-run");
    assert.deepEqual(
      dry.runs.map(({ state, decided }) => [state, decided?.outcome]),
      [["ended", "parked"]],
    );
    const ended = await invoke();
    assert.deepEqual(
      [ended.dryRun, ...ended.runs.map(({ state, decided }) => [state, decided?.outcome])],
      [false, ["ended", "parked"]],
    );
    const cli = await reveille(t, ["command", "reconcile", "--function", "trouble"], environment);
    assert.deepEqual([cli.code, cli.stdout], [0, "reconcile done\n"], cli.stderr);
  });
