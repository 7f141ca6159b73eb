import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, it, onTestFinished, type TestContext, vi } from "vitest";
import type { Invocation } from "../../shared/host/console/index.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { type Ended, type Running, startReveille, temporaryFolder } from "../testing/command-line.ts";
import { eventually } from "../testing/eventually.ts";
import { reveilleHere } from "../testing/in-process.ts";
import { openCluster } from "./cluster.ts";
import { run } from "./program.ts";

const widgetModule = join(import.meta.dirname, "../../examples/widget/index.ts");
const widgets: Resource = {
  group: "bench.example.org",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
};
const place = { namespace: "default", name: "one" };

interface Scene {
  readonly folder: string;
  readonly dev: Running;
  readonly client: KubeClient;
  ask(...words: readonly string[]): Promise<Ended>;
  /** Resolves when the widget's status holds this. */
  doubled(value: number | undefined): Promise<void>;
}

async function scene(t: TestContext): Promise<Scene> {
  const folder = temporaryFolder(t);
  const dev = startReveille(t, ["dev", "--data", folder, "--systems", "none", "--functions", widgetModule]);
  await dev.says("Ready after");
  const { client } = openCluster({ kubeconfig: join(folder, "kubeconfig") });
  t.onTestFinished(() => client.close());
  return {
    folder,
    dev,
    client,
    ask: (...words) => reveilleHere([...words, "--data", folder]),
    doubled: async (value) => {
      await eventually(
        `the status to say ${value}`,
        async () =>
          ((await client.get(widgets, place))?.status as { doubled?: number } | undefined)?.doubled === value,
      );
    },
  };
}

const put = (client: KubeClient, value: number): Promise<unknown> =>
  client.apply(
    widgets,
    place,
    {
      apiVersion: "bench.example.org/v1",
      kind: "Widget",
      metadata: place,
      spec: { value, message: "hello" },
    },
    { fieldManager: "tester", force: true },
  );

/** A file of settings that load the widget alone. */
const settingsIn = (folder: string): string => {
  const file = join(folder, "reveille.yaml");
  writeFileSync(file, JSON.stringify({ systems: ["none"], functions: [widgetModule] }));
  return file;
};

const event = (folder: string): string => {
  const file = join(folder, "event.json");
  const ref = { cluster: "x", group: "bench.example.org", version: "v1", kind: "Widget", ...place, uid: "u" };
  const more = {
    era: 0,
    resourceVersion: "1",
    generation: 1,
    lane: "urgent",
    differs: ["object"],
    facts: {},
  };
  const rest = { seen: [], incomplete: false, owners: [], deleting: false };
  writeFileSync(
    file,
    JSON.stringify({
      specversion: "1.0",
      id: "1",
      type: "resource.changed",
      source: "/console",
      time: "2026-01-15T10:00:00Z",
      datacontenttype: "application/json",
      data: { ref, ...more, ...rest },
    }),
  );
  return file;
};

describe("reveille command and reveille invoke", () => {
  it("pause, show dry what is left undone, resume, and look again, beside a running dev", async (t) => {
    const { folder, dev, client, ask, doubled } = await scene(t);
    await put(client, 4);
    await doubled(8);

    const paused = await ask("command", "pause", "widget/one", "--reason", "maintenance", "--as", "alice");
    assert.deepEqual([paused.code, paused.stdout, paused.stderr], [0, "pause done\n", ""]);
    const mark = async (): Promise<string> =>
      (await client.get(widgets, place))?.metadata.annotations?.["reveille.dev/pause-command"] ?? "";
    assert.match(await mark(), /"askedBy":"alice".*"reason":"maintenance"/);
    const same = ["command", "pause", "widgets.bench.example.org/one", "--as", "bob", "-o", "json"];
    const again = await ask(...same);
    assert.equal((JSON.parse(again.stdout) as { state: string }).state, "unchanged");
    assert.match(await mark(), /"askedBy":"bob"/, "whoever asked last");
    await put(client, 5);
    assert.match((await ask("status")).stdout, /\n {2}Widget default\/one by bob since /);
    assert.match((await ask("why", "widget/one")).stdout, /\n {2}widget is paused by bob since /);

    assert.equal((await ask("command", "resume", "widget/one")).code, 0);
    await doubled(10);
    assert.equal((await ask("command", "pause", "--function", "widget")).code, 0);
    const shown = await ask("status");
    assert.match(shown.stdout, /^Paused, and left alone.*\n {2}widget by \S+ since \S+Z \(/m, shown.stderr);
    const value = JSON.parse((await ask("status", "-o", "json")).stdout) as {
      readonly paused: {
        readonly functions: readonly { readonly function: string; readonly since: string }[];
      };
    };
    assert.deepEqual(
      value.paused.functions.map((one) => one.function),
      ["widget"],
    );
    await put(client, 6);
    const told = await ask("why", "widget/one");
    assert.match(told.stdout, /\n {2}widget is paused by \S+ since /, told.stderr);
    assert.doesNotMatch(told.stdout, /nothing left to do/);
    const dry = await ask("invoke", "widget", "--event", event(folder), "--dry-run");
    assert.equal(dry.code, 0, dry.stderr);
    const { dryRun, runs } = JSON.parse(dry.stdout) as Invocation;
    assert.equal(dryRun, true);
    assert.deepEqual(
      runs[0]?.diff
        ?.find(({ subject }) => subject.includes("Widget"))
        ?.changes.find(({ path }) => path === "status.doubled"),
      { path: "status.doubled", from: 10, to: 12 },
    );
    await doubled(10);
    assert.equal((await ask("command", "resume", "--function", "widget")).code, 0);
    await doubled(12);

    const asked = await ask("command", "reconcile", "--kind", "widget");
    assert.deepEqual([asked.code, asked.stdout], [0, "reconcile done\n"], asked.stderr);
    const real = await ask("invoke", "widget", "--event", event(folder), "-o", "json");
    assert.equal(real.code, 0, real.stderr);
    assert.equal((JSON.parse(real.stdout) as Invocation).runs[0]?.state, "ended");

    const refused = await ask("command", "pause", "--function", "nobody");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /error: There is no function nobody; there are widget\./);
    const logged = await ask("logs", "commands");
    assert.deepEqual(
      logged.stdout.match(/(?<=│ ).*(?= ·)/g)?.map((line) => line.replace(/ \(.*/, "")),
      [
        "patch Widget default/one",
        "patch Widget default/one",
        "patch Widget default/one",
        "apply ConfigMap reveille-paused",
        "apply ConfigMap reveille-paused",
        "carried out",
        "refused: There is no function nobody; there are widget.",
      ],
      logged.stderr,
    );
    const rechecked = await ask("command", "recheck-release", "github.com/example/chart", "1");
    assert.deepEqual(
      [rechecked.code, rechecked.stdout],
      [0, "recheck-release unchanged: No function here wakes on releases, so nobody looks.\n"],
      rechecked.stderr,
    );
    const { cluster } = JSON.parse((await ask("status", "-o", "json")).stdout).run as {
      readonly cluster: string;
    };
    const key = `${cluster}/bench.example.org/Widget/default/one`;
    const alive = await ask("command", "redrive", "widget", key);
    assert.deepEqual(
      [alive.code, alive.stdout],
      [0, "redrive unchanged: widget Widget default/one is not among the dead letters.\n"],
      alive.stderr,
    );
    const nothing = await ask("command", "redrive", "widget", "nosuchkey");
    assert.equal(nothing.code, 1);
    assert.match(nothing.stderr, /^error: .*nosuchkey.* is no key/);
    const unknown = await ask("logs", "nobody");
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [2, 'error: There is no function "nobody"; choose from widget, commands.\n'],
    );
    dev.child.kill("SIGTERM");
    assert.equal((await dev.ended).code, 0);
    const later = await ask("command", "reconcile", "--function", "widget");
    assert.match(later.stdout, /accepted: Nothing runs here now/);
    const idle = await ask("invoke", "widget", "--event", event(folder));
    assert.equal(idle.code, 1);
    assert.match(idle.stderr, /Nothing runs here now that could run it/);
  });

  it("ask a server elsewhere with a token from a file, and say what it answered", async (t) => {
    const seen: {
      readonly path: string | undefined;
      readonly token: string | undefined;
      readonly type: string;
    }[] = [];
    let status = 202;
    const server = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += String(chunk)));
      request.on("end", () => {
        const { type } = JSON.parse(text) as { type: string };
        seen.push({ path: request.url, token: request.headers.authorization, type });
        response
          .writeHead(status)
          .end(JSON.stringify(status === 202 ? { runs: [] } : { message: "Nobody is known." }));
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.onTestFinished(() => void server.close());
    const folder = temporaryFolder(t);
    const token = join(folder, "token");
    writeFileSync(token, "secret-token\n");
    const config = settingsIn(folder);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const to = ["--server", url, "--token-file", token];
    const pause = ["command", "pause", "widget/one", "-n", "team-a", "--config", config];
    const sent = await reveilleHere([...pause, ...to]);
    assert.deepEqual([sent.code, sent.stdout], [0, "pause accepted\n"], sent.stderr);
    const invoked = await reveilleHere(["invoke", "widget", "--event", event(folder), "--dry-run", ...to]);
    assert.equal(invoked.code, 0, invoked.stderr);
    status = 401;
    const refused = await reveilleHere(["command", "pause", "--function", "x", ...to]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /refused it \(401\): Nobody is known\./);
    assert.deepEqual(seen, [
      { path: "/events", token: "Bearer secret-token", type: "command.pause" },
      {
        path: "/functions/widget/invoke?dry-run=true",
        token: "Bearer secret-token",
        type: "resource.changed",
      },
      { path: "/events", token: "Bearer secret-token", type: "command.pause" },
    ]);
    server.close();
    server.closeAllConnections();
    const away = await reveilleHere(["command", "pause", "--function", "x", ...to]);
    assert.equal(away.code, 1);
    assert.match(away.stderr, /does not answer/);
  });

  it("say what is wrong with the command line", async (t) => {
    const config = settingsIn(temporaryFolder(t));
    const said: string[] = [];
    const stderr = vi
      .spyOn(process.stderr, "write")
      .mockImplementation((text) => said.push(String(text)) > 0);
    onTestFinished(() => stderr.mockRestore());
    const wrong: readonly (readonly string[])[] = [
      ["command", "pause"],
      ["command", "pause", "widget/x", "--function", "y"],
      ["command", "reconcile", "--key", "k"],
      ["command", "reconcile", "nokind/x", "--config", config],
      ["command", "pause", "--function", "x", "--token-file", "t"],
      ["invoke", "widget"],
    ];
    for (const words of wrong) assert.equal(await run(words), 2, words.join(" "));
    assert.equal(await run(["invoke", "widget", "--event", "/nowhere/event.json"]), 1);
    assert.equal(said.pop(), "error: /nowhere/event.json does not exist: correct the path.\n");
    stderr.mockRestore();
    assert.match(said.join(""), /No function knows the kind "nokind"; they know ConfigMap, Widget\./);
  });
});
