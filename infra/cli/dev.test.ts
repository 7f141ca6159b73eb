import assert from "node:assert/strict";
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, it, type TestContext } from "vitest";
import { systemClock } from "../../shared/clock/clock.ts";
import { pausedFunctions, readPausedFunctions } from "../../shared/host/commands/index.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { silent } from "../../shared/log/log.ts";
import { reveille, startReveille, temporaryFolder } from "../testing/command-line.ts";
import { toySystem } from "../testing/toy-system.ts";
import { openCluster } from "./cluster.ts";
import type { RunFile } from "./state-directory.ts";

const widgetModule = join(import.meta.dirname, "../../examples/widget/index.ts");
const toyModule = join(import.meta.dirname, "../testing/toy-system.ts");
const widgets: Resource = {
  group: "bench.example.org",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
};
const place = { namespace: "default", name: "one" };
const DEADLINE = 20_000;

const words = (folder: string, ...more: readonly string[]): readonly string[] => [
  "dev",
  "--data",
  folder,
  "--systems",
  "none",
  "--functions",
  widgetModule,
  ...more,
];

function clientOf(t: TestContext, folder: string): KubeClient {
  const { client } = openCluster({ kubeconfig: join(folder, "kubeconfig") });
  t.onTestFinished(() => client.close());
  return client;
}

const widget = (value: number): KubeObject => ({
  apiVersion: "bench.example.org/v1",
  kind: "Widget",
  metadata: place,
  spec: { value, message: "hello" },
});

interface WidgetStatus {
  readonly doubled?: number;
}

/** Resolves when the widget's status says so. */
async function becomes(
  client: KubeClient,
  resource: Resource,
  accepted: (status: WidgetStatus) => boolean,
): Promise<void> {
  const signal = AbortSignal.timeout(DEADLINE);
  const first = await client.list(resource, { namespace: "default" });
  const isSo = (object: KubeObject | undefined): boolean =>
    object?.status !== undefined && accepted(object.status as WidgetStatus);
  if (first.items.some(isSo)) return;
  const over = new AbortController();
  await client.watch(resource, {
    namespace: "default",
    resourceVersion: first.metadata.resourceVersion,
    signal: AbortSignal.any([signal, over.signal]),
    onEvent: ({ object }) => {
      if (isSo(object)) over.abort();
    },
  });
  assert.ok(over.signal.aborted, "the status never became so");
}

describe("reveille dev", { concurrent: true }, () => {
  it("runs a function on a change, tells it, explains it, ends cleanly and goes on at the same port", async (t) => {
    const folder = temporaryFolder(t);
    const dev = startReveille(t, words(folder));
    await dev.says("Ready after");
    const client = clientOf(t, folder);
    assert.equal(statSync(join(folder, "kubeconfig")).mode & 0o777, 0o600);

    await client.create(widgets, widget(4), { fieldManager: "tester" });
    await becomes(client, widgets, ({ doubled }) => doubled === 8);
    await dev.says("Widget default/one new → widget Widget default/one │ apply ConfigMap one-config");

    const status = JSON.parse((await reveille(t, ["status", "--data", folder, "-o", "json"])).stdout);
    assert.equal(status.running, true);
    assert.equal(status.live.ready, true);
    assert.equal(status.counts.widget.dead, 0);

    const second = await reveille(t, words(folder));
    assert.equal(second.code, 1);
    assert.match(second.stderr, new RegExp(`already runs on .* \\(pid ${dev.child.pid}\\)`));

    dev.child.kill("SIGINT");
    const { code, stderr } = await dev.ended;
    assert.equal(code, 0, stderr);
    assert.equal(stderr, "");

    // From the bus file alone: nothing answers any more.
    const why = await reveille(t, ["why", "configmap/one-config", "--data", folder]);
    assert.equal(why.code, 0, why.stderr);
    assert.match(
      why.stdout,
      /Widget default\/one changed \(generation 1\)\n.*→ widget Widget default\/one: apply ConfigMap one-config/,
    );
    const logs = await reveille(t, ["logs", "widget", "--data", folder, "-o", "json"]);
    const runs = logs.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.ok(runs.some((run) => run.writes.some((write: { verb: string }) => write.verb === "status")));

    const before = JSON.parse(readFileSync(join(folder, "run.json"), "utf8")) as RunFile;
    const again = await reveille(t, words(folder, "--once"));
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, /default +one +4 +8 +True/);
    assert.match(again.stdout, /Settled after \d+ runs? and 0 writes/);
    const after = JSON.parse(readFileSync(join(folder, "run.json"), "utf8")) as RunFile;
    assert.equal(after.server, before.server);
    assert.equal(after.cluster, before.cluster);

    // A bus that was lost knows of nothing that the ledger takes for told.
    for (const file of globSync(join(folder, "**/bus.db*"))) rmSync(file);
    const anew = await reveille(t, words(folder, "--once"));
    assert.equal(anew.code, 0, anew.stderr);
    assert.match(anew.stdout, /Settled after \d+ runs? and 0 writes/);
  });

  it("goes on after kill -9, with what changed while it was away, and forgets with --reset", async (t) => {
    const folder = temporaryFolder(t);
    const first = startReveille(t, words(folder));
    await first.says("Ready after");
    const client = clientOf(t, folder);
    const creation = client.create(widgets, widget(4), { fieldManager: "tester" });
    await creation;
    first.child.kill("SIGKILL");
    await first.ended;

    const healed = await reveille(t, words(folder, "--once"));
    assert.equal(healed.code, 0, healed.stderr);
    assert.match(healed.stdout, /default +one +4 +8 +True/);
    const forgotten = await reveille(t, words(folder, "--once", "--reset", "--log", "json"));
    assert.equal(forgotten.code, 0, forgotten.stderr);
    const lines = forgotten.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.equal(lines.at(-1).msg, "settled");
    assert.equal(lines.at(-1).runs, 0);
  });

  it("refuses a taken port", async (t) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.onTestFinished(() => void server.close());
    const { port } = server.address() as { readonly port: number };
    const { code, stderr } = await reveille(t, words(temporaryFolder(t), "--port", String(port)));
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^error: port ${port} is taken`));
  });

  it("runs a function that nobody knows, and takes over what is saved", async (t) => {
    const folder = temporaryFolder(t);
    const module = join(folder, "greeting.ts");
    const source = (word: string): string => `
      import { defineKind, each } from "reveille";
      import * as z from "zod";
      export class Greeting extends defineKind({
        group: "hello.example.com", version: "v1", kind: "Greeting", scope: "Namespaced",
        fields: { spec: z.object({ name: z.string() }) },
        status: z.object({ text: z.string().optional() }),
      }) {}
      export default each(Greeting).function({
        name: "greeting",
        reconcile: ({ self }) => ({ status: { text: "${word} " + self.spec.name } }),
      });`;
    writeFileSync(module, source("Hello"));
    const state = join(folder, "state");
    const dev = startReveille(t, ["dev", "--data", state, "--systems", "none", "--functions", module]);
    await dev.says("Ready after");
    const client = clientOf(t, state);
    const greetings: Resource = {
      ...widgets,
      group: "hello.example.com",
      kind: "Greeting",
      plural: "greetings",
    };
    const greeting = {
      apiVersion: "hello.example.com/v1",
      kind: "Greeting",
      metadata: { namespace: "default", name: "one" },
      spec: { name: "World" },
    };
    await client.create(greetings, greeting, { fieldManager: "tester" });
    const says = (text: string) =>
      becomes(client, greetings, (status) => Reflect.get(status, "text") === text);
    await says("Hello World");

    writeFileSync(module, source("Good morning, ").replace("status: {", "status: ,{"));
    await dev.says("The functions stay as they were");
    assert.match(dev.stderr(), /greeting\.ts:\d+ could not be loaded/);
    writeFileSync(module, source("Good morning,"));
    await says("Good morning, World");

    const careless =
      'observe: async () => { void Promise.reject(new Error("left alone")); return {}; }, reconcile';
    writeFileSync(module, source("Good night,").replace("reconcile", careless));
    await says("Good night, World");
    assert.match(dev.stderr(), /a promise failed that nobody awaits/);
    dev.child.kill("SIGTERM");
    assert.equal((await dev.ended).code, 0);
  });

  it("asks before it changes somebody's cluster, and stops where the predecessor runs", async (t) => {
    const folder = temporaryFolder(t);
    const cluster = startReveille(t, ["dev", "--data", folder, "--systems", "none", "--no-simulate"]);
    await cluster.says("Ready after");
    const kubeconfig = join(folder, "kubeconfig");
    const other = join(folder, "other");
    const on = [
      ...["dev", "--kubeconfig", kubeconfig, "--data", other, "--once"],
      ...["--systems", "none", "--functions", toyModule],
    ];
    const asked = await reveille(t, on);
    assert.equal(asked.code, 1);
    assert.match(asked.stderr, /CRD toys\.toys\.example\.org would be installed/);
    assert.match(asked.stderr, /repeat it with --yes/);
    const client = clientOf(t, folder);
    assert.deepEqual(await client.discover("toys.example.org", "v1"), []);

    const agreed = await reveille(t, [...on, "--yes"]);
    assert.equal(agreed.code, 0, agreed.stderr);
    assert.notDeepEqual(await client.discover("toys.example.org", "v1"), []);

    const pause = { paused: true, at: "2026-01-15T10:00:00.000Z", command: "1", askedBy: "alice" };
    await pausedFunctions({ client, clock: systemClock, log: silent }).set("toys", pause);
    const removed = await reveille(t, ["uninstall", "--data", other, "--crds", "--yes"]);
    assert.equal(removed.code, 0, removed.stderr);
    assert.match(removed.stderr, /delete Lease reveille-system\/reveille-watcher/);
    assert.match(removed.stderr, /delete ConfigMap reveille-system\/reveille-paused, which pauses toys\n/);
    assert.deepEqual(await readPausedFunctions(client), []);
    assert.deepEqual(await client.discover("toys.example.org", "v1"), []);

    const deployments: Resource = {
      group: "apps",
      version: "v1",
      kind: "Deployment",
      plural: "deployments",
      scope: "Namespaced",
    };
    const [label = "", value = ""] = toySystem.predecessors[0]?.labelSelector.split("=") ?? [];
    const labels = { [label]: value };
    await client.create(
      deployments,
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "operator", namespace: "default", labels },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "operator", image: "operator" }] } },
        },
      },
      { fieldManager: "tester" },
    );
    const refused = await reveille(t, [...on, "--yes"]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /runs in this cluster \(Deployment default\/operator\)/);
  });

  it("says that another one watches the cluster, and does not claim that all has settled", async (t) => {
    const folder = temporaryFolder(t);
    const cluster = startReveille(t, [
      "dev",
      "--data",
      folder,
      "--systems",
      "none",
      "--functions",
      widgetModule,
    ]);
    await cluster.says("Ready after");
    const joining = (name: string) =>
      ["dev", "--kubeconfig", join(folder, "kubeconfig"), "--data", join(folder, name), "--yes"] as const;
    const on = ["--systems", "none", "--functions", widgetModule];
    const first = startReveille(t, [...joining("first"), ...on]);
    await first.says("Ready after");
    const second = startReveille(t, [...joining("second"), ...on]);
    await second.says("Ready after");
    await second.says("): this one stands by, and its functions sleep until that one ends");
    const hurried = await reveille(t, [...joining("third"), ...on, "--once", "--once-seconds", "2"]);
    assert.equal(hurried.code, 1);
    assert.match(hurried.stderr, /not settled: another Reveille watches this cluster/);
  });
});
