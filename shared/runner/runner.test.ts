import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { itemOf, runnerOf } from "../../infra/testing/one-run.ts";
import { manualClock } from "../../infra/testing/settling-clock.ts";
import type { Cause, WorkItem } from "../bus/item.ts";
import {
  all,
  allInNamespace,
  changed,
  defineEvent,
  defineKind,
  each,
  type FunctionDeclaration,
  on,
  own,
} from "../function/index.ts";
import { Hints } from "../hints/hints.ts";
import { AppliedMemo } from "../kube/apply/memo.ts";
import type { KubeClient } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";
import type { KubeObject } from "../kube/object.ts";
import { type Log, silent } from "../log/log.ts";
import { Recorder } from "./recorder.ts";
import { ReplacedMemo } from "./replacement.ts";
import { sweep } from "./sweep.ts";
import { Writer } from "./writer.ts";

class Jar extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Jar",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
  status: z.object({ level: z.int() }),
  facts: (it) => ({ size: it.spec.size }),
}) {}

const jar = (name: string, more: Partial<KubeObject["metadata"]> = {}): KubeObject => ({
  apiVersion: "unit.example.org/v1",
  kind: "Jar",
  metadata: { name, namespace: "a", uid: `uid-${name}`, resourceVersion: "5", generation: 1, ...more },
  spec: { size: 1 },
});
const cause = (resourceVersion: string): Cause => ({
  sort: "dependency",
  eventId: `event-${resourceVersion}`,
  type: "resource.changed",
  uid: "uid-source",
  resourceVersion,
  revives: true,
  at: "2026-01-15T10:00:00Z",
});
const causedItem = (name: string, key: string, causes: readonly Cause[] = [cause("7")]): WorkItem =>
  itemOf(name, key, { causes });
/** A client of which only what a test gives may be called. */
const clientWith = (some: Partial<KubeClient>): KubeClient => some as KubeClient;

describe("a run that never ends", () => {
  it("is cut off, tried again later, and does nothing more when it wakes up after all", async () => {
    const clock = manualClock();
    let goOn = (): void => undefined;
    const writes: unknown[] = [];
    const stuck = each(Jar).function({
      name: "stuck",
      observe: () =>
        new Promise<void>((resolve) => {
          goOn = resolve;
        }),
      reconcile: () => ({ status: { level: 1 } }),
    });
    const client = clientWith({
      get: async () => jar("one"),
      apply: async (_, __, body) => {
        writes.push(body);
        return jar("one");
      },
    });
    const lease = new AbortController();
    const ending = runnerOf(stuck, client, { clock })({
      item: causedItem("stuck", "c/unit.example.org/Jar/a/one"),
      held: () => true,
      signal: lease.signal,
    });
    await clock.advance(6 * 60_000);
    const end = await ending;
    assert.equal(end.state, "failed");
    if (end.state !== "failed") return;
    assert.deepEqual([end.error.code, end.retryable], ["RUN_TOO_LONG", true]);
    goOn();
    await clock.settle();
    assert.deepEqual(writes, []);
  });
});

describe("a function that always asks for more", () => {
  it("ends once its writes change nothing, even where they have to be sent to find out", async () => {
    let sent = 0;
    const eager = each(Jar).function({
      name: "eager",
      reconcile: () => ({ status: { level: 1 }, again: true }),
    });
    const client = clientWith({
      get: async () => jar("one"),
      apply: async () => {
        sent += 1;
        if (sent > 5) throw new Error("it goes on for ever");
        // As where a webhook takes the change back: the version stays.
        return jar("one");
      },
    });
    const end = await runnerOf(
      eager,
      client,
    )({
      item: causedItem("eager", "c/unit.example.org/Jar/a/one"),
      held: () => true,
      signal: new AbortController().signal,
    });
    assert.equal(end.state, "finished");
    assert.equal(sent, 1);
  });
});

describe("a sweep", () => {
  const lists: (string | undefined)[] = [];
  const client = clientWith({
    pages: async function* (_, options) {
      lists.push(options?.namespace);
      yield { items: [jar("one")], metadata: { resourceVersion: "9" } };
    },
  });
  const sweptBy = (
    declaration: FunctionDeclaration,
    namespace: string | undefined,
    through = client,
    config: unknown = {},
    log: Log = silent,
  ) =>
    sweep(
      declaration,
      causedItem(declaration.name, "sweep:0:x", [cause("7"), cause("8")]),
      {
        wake: 0,
        subject: { cluster: "c", namespace, name: "s" },
        facts: [{}],
        gone: false,
        incomplete: false,
      },
      {
        client: through,
        cluster: "c",
        recorder: new Recorder(),
        log,
        signal: new AbortController().signal,
        now: 0,
        namespaces: ["a", "b"],
        config,
        check: async () => undefined,
      },
    );

  it("hands on the newest version of its source: an older one may be the dependant's own write", async () => {
    const items = await sweptBy(
      each(Jar).function({ name: "f", wakes: [changed(Jar).toEvery()], reconcile: () => ({}) }),
      "a",
    );
    assert.deepEqual([...new Set(items.map((item) => item.cause.resourceVersion))], ["8"]);
  });

  it("strews wakes as the configuration says, but not those of who waits for just that", async () => {
    const names = ["a", "b", "waiting", "c", "d"];
    const many = clientWith({
      pages: async function* () {
        yield { items: names.map((name) => jar(name)), metadata: { resourceVersion: "9" } };
      },
    });
    const strewn = each(Jar).function({
      name: "strewn",
      wakes: [
        changed(Jar).toEach<typeof Jar>(() => true, {
          spread: ({ minutes }: { readonly minutes: number }) => `${minutes}m`,
          atOnce: ({ metadata }) => metadata.name === "waiting",
        }),
      ],
      reconcile: () => ({}),
    });
    const due = async (minutes: number) =>
      (await sweptBy(strewn, "a", many, { minutes })).map(({ notBefore = 0 }) => notBefore / 60_000);
    assert.deepEqual(await due(4), [0, 1, 0, 2, 3]);
    assert.deepEqual(await due(0), [0, 0, 0, 0, 0]);
  });

  it("drops an event that is about several at once, and says so", async () => {
    const rung = defineEvent("bell.rung", z.object({ bell: z.string() }), ({ bell }) => `bell.rung/${bell}`);
    const named = (names: readonly string[]) =>
      clientWith({
        pages: async function* () {
          yield { items: names.map((name) => jar(name)), metadata: { resourceVersion: "9" } };
        },
      });
    const hears = each(Jar).function({
      name: "hears",
      wakes: [
        on(rung).toEach<typeof Jar>(({ metadata }) => metadata.name.endsWith("1"), {
          sole: ({ metadata }) => metadata.name.slice(0, 1),
        }),
      ],
      reconcile: () => ({}),
    });
    const warned: string[] = [];
    const log = { ...silent, warn: (_: object, message: string) => void warned.push(message) };
    const keys = async (...names: readonly string[]) =>
      (await sweptBy(hears, "a", named(names), {}, log)).map(({ key }) => key.split("/").at(-1));
    assert.deepEqual(await keys("a1", "a2"), ["a1"]);
    assert.deepEqual(warned, []);
    assert.deepEqual(await keys("a1", "a2", "b2"), []);
    assert.match(warned.join(), /^an event is about several at once and is dropped/);
  });

  it("looks nowhere but in the namespaces that are served", async () => {
    const near = each(Jar).function({
      name: "near",
      wakes: [changed(Jar).toEach(() => true, { same: "namespace" })],
      reconcile: () => ({}),
    });
    lists.length = 0;
    await sweptBy(near, "a");
    await sweptBy(near, "elsewhere");
    await sweptBy(near, undefined);
    assert.deepEqual(lists, ["a", "a", "b"]);
  });

  it("finds nobody where others have not installed the kind, and is tried again where it is our own", async () => {
    class Crate extends defineKind({
      group: "others.example.org",
      version: "v1",
      kind: "Crate",
      scope: "Namespaced",
      external: true,
      fields: {},
    }) {}
    const without = clientWith({
      // biome-ignore lint/correctness/useYield: it fails before the first page.
      pages: async function* () {
        throw new KubeError("kindMissing", "There is no such kind.", { request: "list" });
      },
    });
    const every = (kind: typeof Crate | typeof Jar) =>
      each(kind).function({ name: "every", wakes: [changed(Jar).toEvery()], reconcile: () => ({}) });
    assert.deepEqual(await sweptBy(every(Crate), "a", without), []);
    await assert.rejects(sweptBy(every(Jar), "a", without), { kind: "kindMissing" });
  });
});

describe("where only some namespaces are served", () => {
  const listsOf = async (declaration: FunctionDeclaration, key: string): Promise<(string | undefined)[]> => {
    const lists: (string | undefined)[] = [];
    const client = clientWith({
      pages: async function* (_, options) {
        lists.push(options?.namespace);
        yield { items: [], metadata: { resourceVersion: "9" } };
      },
    });
    const work = runnerOf(declaration, client, { namespaces: ["a", "b"] });
    const signal = new AbortController().signal;
    const end = await work({ item: causedItem(declaration.name, key), held: () => true, signal });
    assert.equal(end.state, "finished");
    return lists;
  };
  it("members and lists are read there only: nobody gave rights on the whole cluster", async () => {
    const whole = all(Jar).function({
      name: "whole",
      observe: async ({ read }) => ({ jars: await read.list(Jar) }),
      reconcile: () => ({}),
    });
    assert.deepEqual(await listsOf(whole, "c/unit.example.org/Jar/*/*"), ["a", "b", "a", "b"]);
    const one = allInNamespace(Jar).function({ name: "one", reconcile: () => ({}) });
    assert.deepEqual(await listsOf(one, "c/unit.example.org/Jar/a/*"), ["a"]);
  });
});

describe("an object that this host has seen before", () => {
  it("is no ground to refuse: it may have another owner by now", async () => {
    const owner = { ...jar("owner"), metadata: { ...jar("owner").metadata } };
    const foreign = jar("child", {
      ownerReferences: [
        { apiVersion: "v1", kind: "Jar", name: "former", uid: "uid-former", controller: true },
      ],
    });
    const hints = new Hints();
    hints.saw("unit.example.org/Jar/a/child", foreign);
    const applied: string[] = [];
    const writer = new Writer({
      client: clientWith({
        get: async () => undefined,
        apply: async (_, { name }) => {
          applied.push(name);
          return jar(name);
        },
      }),
      fieldManager: "reveille-f",
      of: "test",
      rights: new Map(),
      succeeds: [],
      recorder: new Recorder(),
      signal: new AbortController().signal,
      known: new Map(),
      hints,
      memo: new AppliedMemo(),
      replaced: new ReplacedMemo(),
    });
    const { plan } = own(owner as never, Jar, { metadata: { name: "child" }, spec: { size: 2 } });
    assert.ok(plan.effect === "apply");
    await writer.apply(plan);
    assert.deepEqual(applied, ["child"]);
  });
});
