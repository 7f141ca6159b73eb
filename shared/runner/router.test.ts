import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import * as z from "zod";
import { type Envelope, MOST_OWNERS } from "../../events/index.ts";
import {
  type At,
  all,
  allBy,
  allInNamespace,
  changed,
  defineKind,
  each,
  ready,
  type Said,
} from "../function/index.ts";
import { parseKey } from "../function/key.ts";
import { clusterOnBus } from "../kube/cluster-names.ts";
import { rulesOf } from "./rights.ts";
import { createRouter } from "./router.ts";
import { watchListOf } from "./watch-list-of.ts";

class Team extends defineKind({
  group: "router.example.org",
  version: "v1",
  kind: "Team",
  scope: "Namespaced",
  fields: { spec: z.object({ hub: z.string().optional() }) },
  status: z.object({ ready: z.boolean() }),
  facts: (it) => ({ hub: it.spec.hub }),
}) {}
class Hub extends defineKind({
  group: "router.example.org",
  version: "v1",
  kind: "Hub",
  scope: "Namespaced",
  fields: { spec: z.object({ url: z.string() }) },
  status: z.object({ ready: z.boolean() }),
  facts: (it) => ({ url: it.spec.url }),
  ready: (it) => it.status.ready.is(true),
}) {}
class Realm extends defineKind({
  group: "router.example.org",
  version: "v1",
  kind: "Realm",
  scope: "Cluster",
  fields: {},
}) {}
class Child extends defineKind({
  group: "",
  version: "v1",
  kind: "Child",
  plural: "children",
  scope: "Namespaced",
  external: true,
  fields: {},
}) {}

const byObject = each(Team).function({
  name: "by-object",
  wakes: [
    changed(Hub).toEach((team, hub) => team.spec.hub === hub.name),
    ready(Hub).toName((hub) => ({ namespace: hub.namespace, name: hub.url })),
  ],
  owns: [Child],
  reconcile: () => ({}),
});
const byNamespace = allInNamespace(Team, { status: [] }).function({
  name: "by-namespace",
  wakes: [changed(Hub).toEvery()],
  reconcile: () => ({}),
});
const byAll = all(Team, { status: [] }).function({
  name: "by-all",
  wakes: [changed(Hub).toEvery()],
  reconcile: () => ({}),
});
const byFact = allBy(Team, "hub", { status: [] }).function({ name: "by-fact", reconcile: () => ({}) });
const router = createRouter([byObject, byNamespace, byAll, byFact]);

const ref = (kind: string, group = "router.example.org") => ({
  cluster: "c",
  group,
  version: "v1",
  kind,
  namespace: "ns",
  name: "one",
  uid: "u1",
});
const event = (type: string, more: object): Envelope => ({
  specversion: "1.0",
  id: "e1",
  type,
  source: "/clusters/c",
  time: "2026-01-01T00:00:00.000Z",
  datacontenttype: "application/json",
  data: {
    era: 0,
    resourceVersion: "7",
    generation: 2,
    lane: "urgent",
    facts: {},
    seen: [],
    incomplete: false,
    owners: [],
    deleting: false,
    ...more,
  },
});
const routed = (of: Envelope): string[] =>
  router
    .route(of)
    .map((item) => `${item.function} ${item.key} ${item.lane} ${item.cause.sort}`)
    .sort();

describe("the router", () => {
  it("wakes an object's own key, and every group that it is or was in", () => {
    const change = event("resource.changed", {
      ref: ref("Team"),
      differs: ["object"],
      facts: { hub: "b" },
      was: { hub: "a" },
      seen: [{ hub: "x" }],
    });
    assert.deepEqual(routed(change), [
      "by-all c/router.example.org/Team/*/* urgent own",
      "by-fact c/router.example.org/Team/*/=a urgent own",
      "by-fact c/router.example.org/Team/*/=b urgent own",
      "by-fact c/router.example.org/Team/*/=x urgent own",
      "by-namespace c/router.example.org/Team/ns/* urgent own",
      "by-object c/router.example.org/Team/ns/one urgent own",
    ]);
  });
  it("wakes a function whose parts of the status are facts by what others write there only where facts tell it", () => {
    const Ranked = class extends defineKind({
      group: "router.example.org",
      version: "v1",
      kind: "Ranked",
      scope: "Namespaced",
      fields: { spec: z.object({ value: z.int() }) },
      status: z.object({ rank: z.int().optional(), note: z.string().optional() }),
      facts: (it) => ({ rank: it.status.rank }),
    }) {};
    const declared = (name: string, status?: readonly ("rank" | "note")[]) =>
      each(Ranked, status === undefined ? undefined : { status }).function({ name, reconcile: () => ({}) });
    const { route } = createRouter([
      declared("ranks", ["rank"]),
      declared("notes", ["note"]),
      declared("both", ["rank", "note"]),
      declared("nothing", []),
      declared("all"),
    ]);
    const woken = (...differs: readonly string[]) =>
      route(event("resource.changed", { ref: ref("Ranked"), differs })).map((item) => item.function);
    assert.deepEqual(woken("status", "ready"), ["notes", "both", "nothing", "all"]);
    for (const part of ["facts", "object", "created", "unknown"])
      assert.deepEqual(woken("status", part), ["ranks", "notes", "both", "nothing", "all"], part);
  });
  it("takes an object's key out of the dead letters by its change where its kind counts no generations", () => {
    const revives = (generation: number, differs: readonly string[]): boolean[] =>
      router
        .route(event("resource.changed", { ref: ref("Team"), generation, differs }))
        .map((item) => item.cause.revives);
    assert.deepEqual([...new Set(revives(0, ["object"]))], [true]);
    assert.deepEqual([...new Set(revives(0, ["status"]))], [false], "its own failure's status does not");
    assert.deepEqual([...new Set(revives(2, ["object"]))], [false], "a generation tells more than a label");
  });
  it("looks dependants up in the sweep lane, and wakes a group of all at once", () => {
    const change = event("resource.changed", { ref: ref("Hub"), differs: ["facts"], facts: { url: "u" } });
    assert.deepEqual(routed(change), [
      "by-all c/router.example.org/Team/*/* urgent dependency",
      "by-namespace sweep:0:c/router.example.org/Hub/ns/one sweep dependency",
      "by-object sweep:0:c/router.example.org/Hub/ns/one sweep dependency",
    ]);
  });
  it("asks `when` about the first state of what is new too, although it has changed since", () => {
    const ofNew = each(Team).function({
      name: "of-new",
      wakes: [changed(Hub).toEvery({ when: (hub) => hub.was === undefined })],
      reconcile: () => ({}),
    });
    const { route } = createRouter([ofNew]);
    const hub = { ref: ref("Hub"), facts: { url: "later" } };
    const made = { ...hub, differs: ["created"], seen: [{ url: "first" }] };
    assert.equal(route(event("resource.changed", made)).length, 1);
    const moved = { ...hub, differs: ["facts"], was: { url: "first" } };
    assert.equal(route(event("resource.changed", moved)).length, 0);
  });
  it("leaves what happens in other clusters to those who wait for it", () => {
    const there = (kind: string, group?: string) => ({
      ...ref(kind, group),
      cluster: clusterOnBus("c", "@runtime:rt-1"),
    });
    const told = { facts: { url: "u" }, owners: [] };
    for (const of of [
      event("resource.changed", { ref: there("Team"), differs: ["object"], ...told }),
      event("resource.changed", { ref: there("Hub"), differs: ["facts"], ...told }),
      event("resource.changed", { ref: there("Child", ""), differs: ["object"], ...told }),
      event("resource.deleted", { ref: there("Hub"), was: {}, ...told }),
      event("dependency.ready", { ref: there("Hub"), ...told }),
      event("dependency.lost", { ref: there("Hub"), ...told }),
    ])
      assert.deepEqual(routed(of), [], of.type);
  });
  it("leads to one key a cluster-scoped object, whatever namespace a wake names", () => {
    const everywhere = each(Realm).function({
      name: "everywhere",
      wakes: [changed(Hub).toName(({ namespace, url }) => ({ namespace, name: url }) as { name: string })],
      reconcile: () => ({}),
    });
    const change = event("resource.changed", { ref: ref("Hub"), differs: ["facts"], facts: { url: "r" } });
    assert.deepEqual(
      createRouter([everywhere])
        .route(change)
        .map(({ key }) => key),
      ["c/router.example.org/Realm//r"],
    );
  });
  it("does not wake others where no fact changed", () => {
    assert.deepEqual(
      routed(
        event("resource.changed", { ref: ref("Hub"), differs: ["object", "status"], facts: { url: "u" } }),
      ),
      [],
    );
  });
  it("names the keys before and after where the name follows from the facts", () => {
    const flip = event("dependency.ready", {
      ref: ref("Hub"),
      facts: { url: "now" },
      was: { url: "before" },
    });
    assert.deepEqual(routed(flip), [
      "by-object c/router.example.org/Team/ns/before urgent dependency",
      "by-object c/router.example.org/Team/ns/now urgent dependency",
    ]);
  });
  it("names no key where no step matters", () => {
    const left = each(Team).function({
      name: "left",
      wakes: [
        changed(Hub).toName(({ namespace, url }) => ({ namespace, name: url }) as At<typeof Team>, {
          when: ({ url, was }) => was !== undefined && was.url !== url,
        }),
      ],
      reconcile: () => ({}),
    });
    const keysOf = (differs: readonly string[], more: object): readonly string[] =>
      createRouter([left])
        .route(event("resource.changed", { ref: ref("Hub"), differs, ...more }))
        .map(({ key }) => key);
    assert.deepEqual(keysOf(["created"], { facts: { url: "u" } }), []);
    assert.deepEqual(keysOf(["facts"], { facts: { url: "u" }, was: { url: "u" } }), []);
    assert.deepEqual(keysOf(["facts"], { facts: { url: "v" }, was: { url: "u" } }), [
      "c/router.example.org/Team/ns/v",
      "c/router.example.org/Team/ns/u",
    ]);
  });
  it("looks at all where more was seen than is told", () => {
    const flip = event("dependency.lost", { ref: ref("Hub"), facts: { url: "now" }, incomplete: true });
    assert.deepEqual(routed(flip), ["by-object sweep:1:c/router.example.org/Hub/ns/one sweep dependency"]);
  });
  it("counts a predicate as true that asks for a fact of which only the digest is known", () => {
    const digest = (of: string) => ({ "reveille.dev/digest": of, bytes: 2_000 });
    class Source extends defineKind({
      group: "router.example.org",
      version: "v1",
      kind: "Source",
      scope: "Namespaced",
      fields: { spec: z.object({ text: z.string(), other: z.string() }) },
      facts: (it) => ({ text: it.spec.text, other: it.spec.other }),
    }) {}
    const asks = (name: string, when: (said: Said<typeof Source>) => boolean) =>
      all(Team, { status: [] }).function({
        name,
        wakes: [changed(Source).toEvery({ when })],
        reconcile: () => ({}),
      });
    const some = createRouter([
      asks("compares", ({ text, was }) => text !== was?.text && text === "never"),
      asks("asks-for-the-other", ({ other }) => other === "asked for"),
      asks("copies", (said) => Object.keys({ ...said }).length === 0),
    ]);
    const woken = (facts: object, was: object): string[] =>
      some
        .route(event("resource.changed", { ref: ref("Source"), differs: ["facts"], facts, was }))
        .map(({ function: name }) => name)
        .sort();
    assert.deepEqual(woken({ text: digest("a"), other: "x" }, { text: "short", other: "x" }), [
      "compares",
      "copies",
    ]);
    assert.deepEqual(woken({ text: "short", other: "x" }, { text: digest("a"), other: "x" }), ["compares"]);
    assert.deepEqual(woken({ text: "b", other: "x" }, { text: "a", other: "x" }), []);
  });
  it("looks all up where an object names more owners than are told", () => {
    const owners = Array.from({ length: MOST_OWNERS }, (_, index) => ({
      apiVersion: "v1",
      kind: "Pod",
      name: `p${index}`,
      uid: `u${index}`,
    }));
    const follows = each(Team).function({
      name: "follows",
      wakes: [changed(Hub).toOwner()],
      reconcile: () => ({}),
    });
    const change = event("resource.changed", { ref: ref("Hub"), differs: ["facts"], owners });
    const [item] = createRouter([follows]).route(change);
    assert.equal(item?.key, "sweep:0:c/router.example.org/Hub/ns/one");
  });
  it("wakes the controlling owner of a child, the one before too, and nobody for its status", () => {
    const owner = (name: string, controller: boolean) => ({
      apiVersion: "router.example.org/v1",
      kind: "Team",
      name,
      uid: name,
      controller,
    });
    const child = {
      ref: ref("Child", ""),
      owners: [owner("mine", true), owner("friend", false)],
      wereOwners: [owner("before", true)],
    };
    assert.deepEqual(routed(event("resource.changed", { ...child, differs: ["object"] })), [
      "by-object c/router.example.org/Team/ns/before urgent child",
      "by-object c/router.example.org/Team/ns/mine urgent child",
    ]);
    assert.deepEqual(routed(event("resource.changed", { ...child, differs: ["status"] })), []);
    assert.deepEqual(routed(event("resource.deleted", { ref: child.ref, owners: child.owners, was: {} })), [
      "by-object c/router.example.org/Team/ns/mine urgent child",
    ]);
  });
  it("wakes the owner of an object that became ready or is lost, and for nothing else of it", () => {
    const follows = each(Team).function({
      name: "follows",
      wakes: [ready(Hub).toOwner()],
      reconcile: () => ({}),
    });
    const { route } = createRouter([follows]);
    const owners = [{ apiVersion: "router.example.org/v1", kind: "Team", name: "mine", uid: "u" }];
    const hub = { ref: ref("Hub"), facts: { url: "u" }, owners };
    const keys = (type: string, more: object): readonly string[] =>
      route(event(type, { ...hub, ...more })).map(({ key }) => key);
    const mine = ["c/router.example.org/Team/ns/mine"];
    assert.deepEqual(keys("resource.changed", { differs: ["ready", "facts"], ready: true }), mine);
    assert.deepEqual(keys("resource.changed", { differs: ["ready"], ready: false }), mine);
    assert.deepEqual(keys("resource.changed", { differs: ["unknown"], ready: false }), mine);
    assert.deepEqual(keys("resource.changed", { differs: ["created"], ready: true }), mine);
    assert.deepEqual(keys("resource.changed", { differs: ["created"], ready: false }), []);
    assert.deepEqual(keys("resource.changed", { differs: ["facts", "object"], ready: true }), []);
    assert.deepEqual(keys("resource.deleted", { was: {}, ready: true }), mine);
    assert.deepEqual(keys("resource.deleted", { was: {}, ready: false }), []);
    // The flip itself names no owners: it leads nowhere, and nobody is woken twice.
    assert.deepEqual(keys("dependency.ready", {}), []);
  });
  it("makes of each command an item of its own, which carries it", () => {
    const asked = event("command.reconcile", { function: "by-all", askedBy: "me" });
    const [item, ...more] = router.route(asked);
    assert.deepEqual(more, []);
    assert.ok(item !== undefined);
    assert.equal(item.function, "commands");
    assert.equal(item.lane, "urgent");
    assert.deepEqual(item.sweep?.facts, [
      { id: asked.id, type: asked.type, time: asked.time, payload: asked.data },
    ]);
    const other = { ...asked, id: "another/one with / in it" };
    assert.notEqual(router.route(other)[0]?.key, item.key);
    assert.equal(parseKey(router.route(other)[0]?.key ?? "").of, "object");
    assert.deepEqual(routed(event("command.outcome", { command: "1" })), []);
  });
  it("gives the same items for the same event", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("Team", "Hub"),
        fc.record({ hub: fc.string(), url: fc.string() }),
        fc.subarray(["object", "status", "facts", "ready", "created"] as const, { minLength: 1 }),
        (kind, facts, differs) => {
          const change = event("resource.changed", { ref: ref(kind), facts: { ...facts }, differs });
          assert.deepEqual(router.route(change), router.route(structuredClone(change)));
        },
      ),
    );
  });
});

describe("what is derived from declarations", () => {
  it("is the watch list", () => {
    assert.deepEqual(
      watchListOf([byObject, byAll]).kinds.map(({ kind, interest, facts }) => [
        kind,
        interest,
        Object.keys(facts),
      ]),
      [
        ["Child", "object", []],
        ["Hub", "facts", ["url"]],
        ["Team", "all", ["hub"]],
      ],
    );
  });
  it("is the role, without wildcards and without writes to what is only read", () => {
    assert.deepEqual(rulesOf(byObject), [
      { apiGroups: [""], resources: ["children"], verbs: ["create", "delete", "get", "list", "patch"] },
      { apiGroups: ["router.example.org"], resources: ["hubs"], verbs: ["get", "list"] },
      { apiGroups: ["router.example.org"], resources: ["teams"], verbs: ["get", "list"] },
      { apiGroups: ["router.example.org"], resources: ["teams/status"], verbs: ["patch"] },
      { apiGroups: ["router.example.org"], resources: ["teams/finalizers"], verbs: ["update"] },
      { apiGroups: [""], resources: ["events"], verbs: ["create"] },
    ]);
  });
});
