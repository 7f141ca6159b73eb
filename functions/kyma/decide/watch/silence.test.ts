import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { Lease } from "../../../../shared/kube/kinds/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import type { WatcherSettings } from "../../configuration.ts";
import { Kyma, LABELS } from "../../kinds/index.ts";
import { isBeat, isOfRuntime, ofRuntime, watchPass } from "./index.ts";

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
) =>
  parseObject(Kyma, {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "Kyma",
    metadata: { ...metadata, labels },
    ...(installed && {
      status: {
        conditions: [
          { type: "SKRWebhook", status: installed, reason: "Ready", message: "", lastTransitionTime: at(0) },
        ],
      },
    }),
  });
const lease = (minutes: number) =>
  parseObject(Lease, {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { ...metadata, name: "rt-1-watch" },
    spec: { renewTime: at(minutes).replace("Z", "000Z") },
  });

describe("the signs of life of a runtime", () => {
  it("are waited for from the time when the program is there", () => {
    for (const [what, one, by] of [
      ["not installed", self("False"), settings],
      ["not to be watched", self("True"), undefined],
      ["without an identity", self("True", {}), settings],
    ] as const)
      assert.deepEqual(watchPass({ self: one, lease: undefined, beat: false }, by, at(10)), {}, what);
    const fresh = watchPass({ self: self("True"), lease: undefined, beat: false }, settings, at(1));
    assert.deepEqual([fresh.status?.conditions[0]?.status, fresh.wakeAt], ["True", { silence: at(3) }]);
  });
  it("are missed after three, and the runtime is looked at until one comes", () => {
    const world = { self: self("True"), lease: lease(10), beat: false };
    assert.deepEqual(watchPass(world, settings, at(12.9)).effects, []);
    const silent = watchPass(world, settings, at(13));
    assert.deepEqual([silent.status?.conditions[0]?.reason, silent.wakeAt], ["Silent", { poll: at(18) }]);
    assert.match(JSON.stringify(silent.effects), /"id":"runtime\.changed\/r\/silent_/);
    const again = watchPass({ ...world, beat: true }, settings, at(20));
    assert.deepEqual([again.status?.conditions[0]?.status, again.wakeAt], ["True", { silence: at(23) }]);
    assert.match(JSON.stringify(again.effects), /"renewTime":"2026-01-15T10:20:00\.000000Z"/);
    assert.doesNotMatch(JSON.stringify(again.effects), /runtime\.changed/);
  });
  it("are told apart from other news, and runtimes by their labels", () => {
    assert.deepEqual([undefined, "x", "runtime.changed/a/b", "x runtime.beat/a/b"].map(isBeat), [
      false,
      false,
      false,
      true,
    ]);
    assert.equal(isOfRuntime(self("True"), { runtimeId: "r" }), true);
    assert.equal(isOfRuntime(self("True"), { runtimeId: "R" }), false);
    assert.equal(ofRuntime({ runtimeId: "no label, for sure" }), undefined);
  });
});
