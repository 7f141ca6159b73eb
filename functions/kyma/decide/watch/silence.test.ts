import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { Lease } from "../../../../shared/kube/kinds/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import type { WatcherSettings } from "../../configuration.ts";
import { Kyma, LABELS, type Sign } from "../../kinds/index.ts";
import { isOfRuntime, lastSign, namesakes, ofRuntime, watchPass } from "./index.ts";

const at = (minutes: number): string =>
  new Date(Date.parse("2026-01-15T10:00:00Z") + minutes * 60_000).toISOString();
const settings: WatcherSettings = {
  address: "events.example.org",
  image: "image",
  issuer: "builtIn",
  issuerName: "klm",
  gatewayNamespaces: [],
  dnsNames: [],
  beatSeconds: 60,
  pollMinutes: 5,
};
const metadata = { name: "rt-1", namespace: "kcp-system", uid: "u", resourceVersion: "1" };
const self = (
  installed: "True" | "False" | undefined,
  labels: Record<string, string> = { [LABELS.runtimeId]: "r" },
  watched?: "True" | "False",
) =>
  parseObject(Kyma, {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "Kyma",
    metadata: { ...metadata, labels },
    ...(installed && {
      status: {
        conditions: [
          { type: "SKRWebhook", status: installed, reason: "Ready", message: "", lastTransitionTime: at(0) },
          ...(watched === undefined
            ? []
            : [{ type: "Watch", status: watched, reason: "Ready", message: "", lastTransitionTime: at(0) }]),
        ],
      },
    }),
  });
const micro = (minutes: number): string => at(minutes).replace("Z", "000Z");
const lease = (minutes: number, holderIdentity = "h1") =>
  parseObject(Lease, {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { ...metadata, name: "rt-1-watch" },
    spec: { holderIdentity, acquireTime: micro(0), renewTime: micro(minutes) },
  });
const sign = (state: Sign["state"], minutes: number, host = "h1"): Sign => ({
  state,
  heard: at(minutes),
  host,
});
const pass = (world: Partial<Parameters<typeof watchPass>[0]>, now: number) => {
  const {
    status,
    wakeAt,
    effects = [],
  } = watchPass(
    { self: self("True"), lease: undefined, sign: undefined, others: [], ...world },
    settings,
    at(now),
  );
  const flat = JSON.parse(JSON.stringify(effects)) as readonly Readonly<Record<string, unknown>>[];
  const text = flat.map((one) => JSON.stringify(one));
  return {
    watch: status?.conditions[0]?.status,
    wakeAt,
    looks: text.filter((one) => one.includes("runtime.changed")),
    stored: text.filter((one) => one.includes("renewTime")),
  };
};

describe("the signs of life of a runtime", () => {
  it("are waited for from the time when the program is there", () => {
    for (const [what, one, by] of [
      ["not installed", self("False"), settings],
      ["not to be watched", self("True"), undefined],
      ["without an identity", self("True", {}), settings],
    ] as const)
      assert.deepEqual(
        watchPass({ self: one, lease: undefined, sign: undefined, others: [] }, by, at(10)),
        {},
        what,
      );
    assert.deepEqual(pass({}, 1), { watch: "True", wakeAt: { silence: at(3) }, looks: [], stored: [] });
    const never = pass({}, 3);
    assert.deepEqual([never.watch, never.wakeAt, never.looks.length], ["False", { poll: at(8) }, 1]);
  });
  it("are stored as they begin, before the program is known to be there too, and then cause nothing", () => {
    const begun = pass({ sign: sign("alive", 1), self: self("False") }, 1);
    assert.deepEqual([begun.watch, begun.wakeAt, begun.looks], ["True", undefined, []]);
    assert.equal(begun.stored.length, 1);
    assert.match(begun.stored[0] ?? "", /"holderIdentity":"h1".*"renewTime":"2026-01-15T10:01:00\.000000Z"/);
    const quiet = { watch: "True", wakeAt: undefined, looks: [], stored: [] };
    assert.deepEqual(pass({ lease: lease(1) }, 100_000), quiet);
    assert.deepEqual(pass({ lease: lease(1), sign: sign("alive", 1) }, 2), quiet, "told twice");
  });
  it("are missed as hosts tell it, and the runtime is looked at until one comes", () => {
    const silent = pass({ lease: lease(1), sign: sign("silent", 5) }, 9);
    assert.deepEqual([silent.watch, silent.wakeAt, silent.looks.length], ["False", { poll: at(14) }, 1]);
    assert.match(silent.stored[0] ?? "", /"holderIdentity":"".*"renewTime":"2026-01-15T10:05:00\.000000Z"/);
    const kept = { lease: lease(5, ""), self: self("True", undefined, "False") };
    const again = pass(kept, 14);
    assert.deepEqual([again.watch, again.looks.length, again.stored], ["False", 1, []]);
    assert.notDeepEqual(again.looks, pass(kept, 19).looks, "each look has a name");
    const back = pass({ ...kept, sign: sign("alive", 20, "h2") }, 20);
    assert.deepEqual([back.watch, back.wakeAt, back.looks.length], ["True", undefined, 1]);
    assert.match(back.looks[0] ?? "", /"id":"runtime\.changed\/r\/back_2026-01-15T10:20/);
    assert.match(
      back.stored[0] ?? "",
      /"acquireTime":"2026-01-15T10:20:00\.000000Z".*"holderIdentity":"h2"|"holderIdentity":"h2".*"acquireTime":"2026-01-15T10:20:00\.000000Z"/,
    );
    const died = pass({ lease: lease(20, "h2"), self: self("True", undefined, "False") }, 21);
    assert.deepEqual([died.watch, died.looks], ["True", back.looks], "the look that a crash left out");
  });
  it("count by their times, whoever tells them and in which order", () => {
    for (const [what, stored, told, watch] of [
      ["silence from before a sign", lease(10), sign("silent", 9, "h2"), "True"],
      ["silence since a sign", lease(10), sign("silent", 10, "h2"), "False"],
      ["a sign from before silence", lease(10, ""), sign("alive", 10), "False"],
      ["a sign since silence", lease(10, ""), sign("alive", 11), "True"],
    ] as const)
      assert.equal(pass({ lease: stored, sign: told }, 20).watch, watch, what);
  });
  it("count for nobody while several Kymas bear the identity of their runtime, and count again afterwards", () => {
    const heard = { lease: lease(1), self: self("True", undefined, "True") };
    const one = pass({ ...heard, others: ["rt-3", "rt-2"], sign: sign("alive", 2) }, 2);
    assert.deepEqual(one, { watch: "False", wakeAt: undefined, looks: [], stored: [] });
    const { status } = watchPass({ ...heard, sign: undefined, others: ["rt-3", "rt-2"] }, settings, at(2));
    assert.match(status?.conditions[0]?.message ?? "", /runtime-id, r: rt-2, rt-3\. .*is dropped/);
    const again = pass({ ...heard, self: self("True", undefined, "False") }, 3);
    assert.deepEqual([again.watch, again.looks.length], ["True", 1], "it is looked at once more");
  });
  it("are asked for by those who bear one identity, and by nobody else", async () => {
    const asked: unknown[] = [];
    const found = (of: Record<string, string>) =>
      namesakes({ name: "rt-1", labels: of }, async (labels) => {
        asked.push(labels);
        return [self("True"), { ...self("True"), metadata: { ...self("True").metadata, name: "rt-2" } }];
      });
    assert.deepEqual([await found({}), asked], [[], []]);
    assert.deepEqual(await found({ [LABELS.runtimeId]: "r" }), ["rt-2"]);
    assert.deepEqual(asked, [{ [LABELS.runtimeId]: "r" }]);
  });
  it("are told apart from other news, and runtimes by their labels", () => {
    const [early, late] = [at(1), at(2)];
    for (const [news, expected] of [
      [undefined, undefined],
      ["x runtime.changed/a/b", undefined],
      ["runtime.alive/a/b", undefined],
      [`x runtime.alive/a/b/${early}_h1`, sign("alive", 1)],
      [`runtime.silent/a/${late}_h2 runtime.alive/a/${early}_h1`, sign("silent", 2, "h2")],
      [`runtime.alive/a/${late}_h1 runtime.silent/a/${early}_h2`, sign("alive", 2)],
      [`runtime.alive/a/${late}_h1 runtime.silent/a/${late}_h2`, sign("silent", 2, "h2")],
    ] as const)
      assert.deepEqual(lastSign(news), expected, news);
    assert.equal(isOfRuntime(self("True"), { runtimeId: "r" }), true);
    assert.equal(isOfRuntime(self("True"), { runtimeId: "R" }), false);
    assert.equal(ofRuntime({ runtimeId: "no label, for sure" }), undefined);
  });
});
