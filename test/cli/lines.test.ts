// Every flag of every command in a line that does what it says, on a cluster where functions run.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { openCluster } from "../../infra/cli/cluster.ts";
import { readRunFile, stateDirectory } from "../../infra/cli/state-directory.ts";
import { type Ended, type Running, reveille, startReveille } from "../../infra/testing/command-line.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { reveilleHere } from "../../infra/testing/in-process.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { ENDING, LASTING, type Line, READING, SERVER } from "./engine-lines.ts";
import {
  installKudoKinds,
  KUDO_ELSEWHERE,
  KUDO_READING,
  KUDO_REFUSING,
  KUDO_WRITING,
  kudoWords,
} from "./kudo-lines.ts";
import { installKyma, KYMA_READING, KYMA_REFUSING, KYMA_WRITING, kymaWords } from "./kyma-lines.ts";
import {
  installStackKinds,
  STACK_ELSEWHERE,
  STACK_READING,
  STACK_REFUSING,
  STACK_WRITING,
  stackWords,
} from "./stack-lines.ts";
import { flagOf, leaves, named } from "./walk.ts";

const all = await leaves();
const folder = mkdtempSync(join(tmpdir(), "reveille-lines-"));
const path = (name: string): string => join(folder, name);
const file = (name: string, content: unknown): string => {
  writeFileSync(path(name), typeof content === "string" ? content : JSON.stringify(content));
  return path(name);
};
const widgetModule = join(import.meta.dirname, "../../examples/widget/index.ts");
const releases = join(import.meta.dirname, "../../functions/cluster-version/samples/releases");
const widgets: Resource = {
  group: "bench.example.org",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
};
const one = { namespace: "default", name: "one" };
const versions: Resource = {
  group: "config.openshift.io",
  version: "v1",
  kind: "ClusterVersion",
  plural: "clusterversions",
  scope: "Cluster",
};

/** A function that fails for good, for dead letters. */
const brokenModule = file(
  "broken.ts",
  `import { defineKind, each, TerminalError } from "reveille";
   import * as z from "zod";
   export class Vase extends defineKind({
     group: "vases.example.org", version: "v1", kind: "Vase", scope: "Namespaced",
     fields: { spec: z.object({ n: z.int() }) }, status: z.object({ whole: z.boolean().optional() }),
   }) {}
   export default each(Vase).function({
     name: "vases",
     observe: async () => { throw new TerminalError("It is broken."); },
     reconcile: () => ({ status: {} }),
   });`,
);
const vase = (name: string): KubeObject => ({
  apiVersion: "vases.example.org/v1",
  kind: "Vase",
  metadata: { namespace: "default", name },
  spec: { n: 1 },
});

/** What stands for what in a line. */
const words: Record<string, string> = {
  DATA: path("state"),
  OTHER: path("other"),
  SAMPLED: path("sampled"),
  WIDGET: widgetModule,
  TOKEN: file("token", "secret\n"),
  EVENT: path("event.json"),
  CONFIG: path("reveille.json"),
  KUBECONFIG: path("state/kubeconfig"),
  PAYLOAD: join(releases, "demo.example_release_1.1.0"),
  ...kudoWords(folder),
  ...(await stackWords(folder)),
  ...kymaWords(folder),
};
const wordsOf = (line: string): readonly string[] =>
  line.split(" ").map((word) => {
    const text = word.replace(/^[A-Z]+$|(?<==)[A-Z]+$/, (name) => words[name] ?? name);
    return text === '""' ? "" : text;
  });

/** Lines that write, in this order, and what must then be so. */
const WRITING: readonly (readonly [...Line, (() => Promise<unknown>)?])[] = [
  [
    "command pause widget/one -n default --data DATA --reason tidying --as alice -o json",
    /"state": "done"/,
    async () => assert.match(await pauseOf(), /"askedBy":"alice".*"reason":"tidying"/),
  ],
  [
    "command resume widget/one -n default --data DATA --reason done --as alice -o json",
    /"state": "done"/,
    async () => assert.match(await pauseOf(), /"paused":false.*"askedBy":"alice","reason":"done"/),
  ],
  ["command pause --function widget --config CONFIG", /pause done/, () => paused(["widget"])],
  ["command resume --function widget --config CONFIG", /resume done/, () => paused([])],
  [`command pause --function widget ${SERVER}`, /pause accepted/, () => paused([])],
  [`command resume --function widget ${SERVER}`, /resume accepted/],
  ["command reconcile widget/one -n default --data DATA --reason looking --as alice -o yaml", /state: done/],
  ["command reconcile --function widget --key KEY --config CONFIG", /reconcile done/],
  ["command reconcile --kind widget --data DATA", /reconcile done/],
  [`command reconcile --function widget ${SERVER}`, /reconcile accepted/],
  [
    "command redrive vases VASE --data DATA --reason again --as alice -o json",
    /"state": "done"/,
    () => letters(["one", "two", "three"]),
  ],
  ["command redrive vases VASE --config CONFIG", /redrive done/, () => letters(["one", "two", "three"])],
  [`command redrive vases VASE ${SERVER}`, /redrive accepted/],
  [
    "command recheck-release github.com/example/chart 1 --data DATA --reason new --as alice -o json",
    /"state": "(done|unchanged)"/,
  ],
  ["command recheck-release github.com/example/chart 1 --config CONFIG", /recheck-release/],
  [`command recheck-release github.com/example/chart 1 ${SERVER}`, /recheck-release accepted/],
  [
    "dead-letters redrive --all --function vases --data DATA",
    /vases looks at Vase default\/one again/,
    () => letters(["one", "two", "three"]),
  ],
  ["dead-letters redrive 1 --config CONFIG", /looks at Vase/, () => letters(["one", "two", "three"])],
  [
    "dead-letters drop LETTER --config CONFIG",
    /vases Vase default\/three dropped/,
    () => letters(["one", "two"]),
  ],
  ["dead-letters drop --all --function vases --data DATA", /dropped/, () => letters([])],
  [
    "cluster-version update --data DATA --to 1.0.0 --dry-run",
    /The cluster is at 1\.0\.0/,
    async () => assert.equal((await desired())?.version, "1.0.0"),
  ],
  ["cluster-version update --data DATA --to-latest", /is offered|Asked for|is asked for/],
  [
    "cluster-version update --kubeconfig KUBECONFIG --context CONTEXT --to-image demo.example/release:9 --allow-explicit-upgrade --allow-not-recommended --force",
    /Asked for demo\.example\/release:9/,
    async () => {
      assert.equal((await desired())?.image, "demo.example/release:9");
      assert.equal((await desired())?.force, true);
    },
  ],
  [
    "cluster-version update --data DATA --clear",
    /Took back the request/,
    async () => assert.equal(await desired(), undefined),
  ],
  [
    "cluster-version channel steady-2 --data DATA --allow-explicit-channel --dry-run",
    /steady-2/,
    () => channelIs("steady-1"),
  ],
  [
    "cluster-version channel steady-2 --kubeconfig KUBECONFIG --context CONTEXT --allow-explicit-channel",
    /The channel is steady-2 now/,
    () => channelIs("steady-2"),
  ],
  ...KUDO_WRITING,
  ...STACK_WRITING,
  ...KYMA_WRITING,
];

/** Flags that no line here can hold. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  ...KUDO_ELSEWHERE,
  ...STACK_ELSEWHERE,
  "--real of dev": "needs etcd and kube-apiserver: test/docs/run-on.real.test.ts",
};

it("no flag is left out", () => {
  const done = new Map<string, Set<string>>();
  for (const [line] of [
    ...READING,
    ...KUDO_READING,
    ...STACK_READING,
    ...KYMA_READING,
    ...WRITING,
    ...KUDO_REFUSING,
    ...STACK_REFUSING,
    ...KYMA_REFUSING,
    ...ENDING,
    ...LASTING,
  ]) {
    const { leaf, flags } = named(line.split(" "), all);
    assert.ok(leaf, `no command: ${line}`);
    done.set(leaf.path, new Set([...(done.get(leaf.path) ?? []), ...flags]));
  }
  const left = all.flatMap((leaf) =>
    leaf.options
      .map((option) => `${flagOf(option)} of ${leaf.path}`)
      .filter((name) => {
        const [flag = "", ...rest] = name.split(" of ");
        return !(name in ELSEWHERE) && done.get(rest.join(" of "))?.has(flag) !== true;
      }),
  );
  assert.deepEqual(left, []);
  assert.deepEqual(
    all.filter(({ path: one }) => !done.has(one)).map(({ path: one }) => one),
    [],
    "never run",
  );
});

let client: KubeClient;
const pauseOf = async (): Promise<string> =>
  (await client.get(widgets, one))?.metadata.annotations?.["reveille.dev/pause-command"] ?? "";
const paused = async (expected: readonly string[]): Promise<void> => {
  const { stdout } = await reveilleHere(["status", "--data", path("state"), "-o", "json"]);
  const found = JSON.parse(stdout) as {
    readonly paused?: { readonly functions: readonly { readonly function: string }[] };
  };
  assert.deepEqual(found.paused?.functions.map((it) => it.function) ?? [], expected);
};
const letterNames = async (): Promise<readonly string[]> => {
  const { stdout } = await reveilleHere(["dead-letters", "list", "--data", path("state"), "-o", "json"]);
  return (JSON.parse(stdout) as readonly { readonly key: string }[]).map(
    ({ key }) => key.split("/").at(-1) ?? "",
  );
};
/** A letter that was driven again fails again. */
const letters = (expected: readonly string[]): Promise<unknown> =>
  eventually(
    `dead letters to be ${expected.join(", ") || "none"}`,
    async () => JSON.stringify([...(await letterNames())].sort()) === JSON.stringify([...expected].sort()),
  );
interface VersionSpec {
  readonly channel?: string;
  readonly desiredUpdate?: { readonly version?: string; readonly image?: string; readonly force?: boolean };
}
const spec = async (): Promise<VersionSpec | undefined> =>
  (await client.get(versions, { name: "version" }))?.spec as VersionSpec | undefined;
const desired = async (): Promise<VersionSpec["desiredUpdate"]> => (await spec())?.desiredUpdate;
const channelIs = async (expected: string): Promise<void> => assert.equal((await spec())?.channel, expected);

describe("a line", () => {
  const ends: (() => Promise<unknown> | unknown)[] = [];
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  /** One that lives until the file ends. */
  const start = (line: string): Running => {
    return startReveille({ onTestFinished: (end) => ends.push(end) }, wordsOf(line));
  };

  beforeAll(async () => {
    const [dev, bare] = [
      start(`dev --data DATA --systems cluster-version --functions WIDGET ${brokenModule}`),
      start(`dev --data ${path("bare")} --systems none --no-simulate`),
    ];
    const server: Server = createServer((_, response) => response.writeHead(202).end('{"runs":[]}'));
    server.listen(0, "127.0.0.1");
    ends.push(() => server.close());
    await Promise.all([dev.says("Ready after"), bare.says("Ready after")]);
    const cluster = openCluster({ kubeconfig: path("state/kubeconfig") });
    ({ client } = cluster);
    ends.push(() => client.close());
    const run = readRunFile(stateDirectory(path("state"))) ?? assert.fail("no run file");
    const key = (group: string, kind: string, name: string): string =>
      `${run.cluster}/${group}/${kind}/default/${name}`;
    Object.assign(words, {
      URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      CONTEXT: "reveille-local",
      KEY: key("bench.example.org", "Widget", "one"),
      VASE: key("vases.example.org", "Vase", "one"),
      LETTER: key("vases.example.org", "Vase", "three"),
      BARE: path("bare/kubeconfig"),
      THIRD: path("third"),
      EMPTY: file("empty.yaml", "{}"),
      // Nobody answers there: hosts listen and wait for it.
      HOST: file("host.json", { bus: { kind: "nats", nats: { servers: ["127.0.0.1:9"] } } }),
      ALONE: file("alone.json", { bus: { kind: "embedded", embedded: { file: path("host-bus.db") } } }),
    });
    // What ran there is another cluster, with samples: it must say nothing about the one that a line names.
    mkdirSync(path("sampled"));
    const sampled = { ...run, kubeconfig: path("sampled/kubeconfig"), cluster: "another", modules: [] };
    file("sampled/run.json", { ...sampled, systems: ["kyma"], samples: ["kyma"] });
    file("reveille.json", {
      systems: ["cluster-version"],
      functions: [widgetModule, brokenModule],
      bus: {
        kind: "embedded",
        embedded: {
          file: join(path("state/clusters"), run.cluster.replaceAll(/[^A-Za-z0-9._-]/g, "_"), "bus.db"),
        },
      },
      cluster: { kubeconfig: path("state/kubeconfig") },
      configuration: { "cluster-version": { payloads: releases } },
    });
    const ref = {
      cluster: run.cluster,
      group: "bench.example.org",
      version: "v1",
      kind: "Widget",
      ...one,
      uid: "u",
    };
    file("event.json", {
      specversion: "1.0",
      id: "1",
      type: "resource.changed",
      source: "/console",
      time: "2026-01-15T10:00:00Z",
      datacontenttype: "application/json",
      data: {
        ...{
          ref,
          era: 0,
          resourceVersion: "1",
          generation: 1,
          lane: "urgent",
          differs: ["object"],
          facts: {},
        },
        ...{ seen: [], incomplete: false, owners: [], deleting: false },
      },
    });
    const widget = {
      apiVersion: "bench.example.org/v1",
      kind: "Widget",
      metadata: one,
      spec: { value: 4, message: "x" },
    };
    await installKudoKinds(client);
    await installStackKinds(client);
    await installKyma(client);
    await client.create(widgets, widget, { fieldManager: "tester" });
    const vases: Resource = { ...widgets, group: "vases.example.org", kind: "Vase", plural: "vases" };
    for (const name of ["one", "two", "three"])
      await client.create(vases, vase(name), { fieldManager: "tester" });
    await letters(["one", "two", "three"]);
    await eventually(
      "the widget to be answered",
      async () => (await client.get(widgets, one))?.status !== undefined,
    );
  });

  const judge = ({ code, stdout, stderr }: Ended, says: RegExp): void => {
    assert.equal(code, 0, stderr);
    assert.match(
      `${stdout}${stderr}`,
      new RegExp(says.source.replaceAll("CONTEXT", words.CONTEXT ?? ""), says.flags),
    );
  };

  for (const [line, says] of [...READING, ...KUDO_READING, ...STACK_READING, ...KYMA_READING])
    it(line, async () => {
      judge(await reveilleHere(wordsOf(line)), says);
    });
  for (const [line, says, then] of WRITING)
    it(line, async () => {
      judge(await reveilleHere(wordsOf(line)), says);
      await then?.();
    });
  for (const [line, says] of [...KUDO_REFUSING, ...STACK_REFUSING, ...KYMA_REFUSING])
    it(`${line} says why not`, async () => {
      const { code, stdout, stderr } = await reveilleHere(wordsOf(line));
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, says);
    });
  it("dead-letters of a function that there is not is refused", async () => {
    for (const words of [["list"], ["redrive", "--all"], ["drop", "--all"]]) {
      const { code, stderr } = await reveilleHere([
        "dead-letters",
        ...words,
        "--function",
        "nobody",
        "--data",
        path("state"),
      ]);
      assert.deepEqual(
        [code, /^error: There is no function "nobody"; choose from .*vases/.test(stderr)],
        [2, true],
        stderr,
      );
    }
  });
  for (const [line, says] of ENDING)
    it(line, async (t) => {
      const bin = path("bin");
      const kubectl = join(bin, "kubectl");
      if (line.startsWith("kubectl")) {
        mkdirSync(bin, { recursive: true });
        writeFileSync(kubectl, '#!/bin/sh\necho "$@" --of "$KUBECONFIG"\n');
        chmodSync(kubectl, 0o755);
      }
      judge(await reveille(t, wordsOf(line), { PATH: `${bin}${delimiter}${process.env.PATH}` }), says);
    });
  for (const [line, says] of LASTING)
    it(`${line}, until it is told to end`, async (t) => {
      const running = startReveille(t, wordsOf(line), { REVEILLE_HEALTH_LISTEN: "127.0.0.1:0" });
      await eventually(
        "it to be there",
        () => says.test(running.stdout()) || running.child.exitCode !== null,
      );
      running.child.kill("SIGTERM");
      const { code, stdout, stderr } = await running.ended;
      assert.match(stdout, says, stderr);
      // Whoever follows a log ends it by a signal.
      if (!line.startsWith("logs")) assert.equal(code, 0, stderr);
    });
});
