import assert from "node:assert/strict";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import type { Verifier } from "../../../shared/ports/payloads/index.ts";
import { type Component, configMap, imageOf, NAMESPACE, releaseFiles } from "./releases.ts";
import type { BenchScenarios } from "./scenario.ts";
import { allWell, type Bench, installed, moveTo, settings, WELL } from "./stage.ts";

const OLD = "5.1.9";
const PATCH = "5.1.10";
const NEW = "5.2.0";
const DNS: Component = { name: "dns", level: "70" };
/** No verifier vouches for images whose name ends so. */
const UNSIGNED = "-unsigned";
/** Vouches for all others. */
export const verifier: Verifier = async (image) =>
  image.endsWith(UNSIGNED)
    ? { verdict: "failed", message: "no signature by a known key" }
    : { verdict: "verified" };

/** Moves to a release and lets it be completed. */
async function completed(stage: Bench, version: string): Promise<void> {
  await moveTo(stage, version, [DNS]);
  await allWell(stage, version, ["dns"]);
  assert.equal((await stage.says()).history[0], `${version} Completed`);
}

/** A refused release leaves all else as it was: what runs is kept, and nothing is failing. */
async function assertRefused(stage: Bench, running: string, accepted: RegExp): Promise<void> {
  const said = await stage.says();
  assert.match(said.conditions.ReleaseAccepted ?? "", accepted);
  assert.equal(said.history[0], `${running} Completed`);
  assert.equal(said.status?.desired.version, running);
  assert.equal(said.conditions.Failing, "False");
  assert.equal(said.conditions.Progressing, `False Cluster version is ${running}`);
  assert.equal((await settings(stage, "dns"))?.data?.version, running);
}

/** Releases that are asked for: whether one is taken, and what is said of it. */
export const targets: BenchScenarios = [
  {
    number: 21,
    name: "back to the release before is accepted, further back only by force",
    async run(stage) {
      await installed(stage, "1.0.0", [DNS]);
      await completed(stage, "1.0.1");
      await completed(stage, "1.0.0");
      const back = await stage.says();
      assert.deepEqual(back.history, ["1.0.0 Completed", "1.0.1 Completed", "1.0.0 Completed"]);
      assert.match(back.status?.history?.[0]?.acceptedRisks ?? "", /nothing is undone/);
      await moveTo(stage, "1.0.1");
      await completed(stage, "1.0.2");
      await stage.ask({ desiredUpdate: { version: "1.0.0", image: imageOf("1.0.0") } });
      await stage.settled();
      await assertRefused(
        stage,
        "1.0.2",
        /^False PreconditionChecks .*"LowDesiredVersion".*previous version 1\.0\.1 /s,
      );
      await stage.ask({ desiredUpdate: { version: "1.0.0", image: imageOf("1.0.0"), force: true } });
      await allWell(stage, "1.0.0", ["dns"]);
      const forced = await stage.says();
      assert.equal(forced.history[0], "1.0.0 Completed");
      assert.match(forced.status?.history?.[0]?.acceptedRisks ?? "", /^Forced through blocking failures: /m);
    },
  },
  {
    number: 22,
    name: "while an operator says Upgradeable=False another minor version is refused, a patch is accepted",
    async run(stage) {
      await installed(stage, OLD, [DNS]);
      await stage.report("dns", { ...WELL, upgradeable: "False", versions: { operator: OLD } });
      await stage.settled();
      await moveTo(stage, NEW, [DNS]);
      await assertRefused(stage, OLD, /^False PreconditionChecks .*"ClusterVersionUpgradeable"/s);
      await completed(stage, PATCH);
      assert.match((await stage.says()).conditions.ReleaseAccepted ?? "", /^True PayloadLoaded /);
    },
  },
  {
    number: 23,
    name: "an override lets a patch through with a warning, holds a minor version, and its end is seen without a restart",
    async run(stage) {
      await installed(stage, OLD, [DNS]);
      const overrides = [{ group: "", kind: "ConfigMap", namespace: "demo", name: "other", unmanaged: true }];
      const ask = (version: string, more: object = { overrides }) =>
        stage.ask({ ...more, desiredUpdate: { version, image: imageOf(version) } });
      stage.release(PATCH, [DNS]);
      stage.release(NEW, [DNS]);
      await ask(PATCH);
      await stage.settled();
      await allWell(stage, PATCH, ["dns"]);
      const patched = await stage.says();
      assert.equal(patched.history[0], `${PATCH} Completed`);
      assert.match(
        patched.status?.history?.[0]?.acceptedRisks ?? "",
        /"ClusterVersionUpgradeable" failed because of "ClusterVersionOverridesSet"/,
      );
      await ask(NEW);
      await stage.settled();
      await assertRefused(stage, PATCH, /^False PreconditionChecks .*cluster version overrides/s);
      assert.match((await stage.says()).conditions.Upgradeable ?? "", /^False ClusterVersionOverrides /);
      await ask(NEW, {});
      await stage.settled();
      await allWell(stage, NEW, ["dns"]);
      const moved = await stage.says();
      assert.deepEqual([moved.history[0], moved.conditions.Upgradeable], [`${NEW} Completed`, undefined]);
    },
  },
  {
    number: 24,
    name: "two minor versions at once are refused; an operator that says Unknown holds nobody up",
    async run(stage) {
      await installed(stage, OLD, [DNS]);
      await moveTo(stage, "5.3.0", [DNS]);
      await assertRefused(stage, OLD, /^False PreconditionChecks .*"MultipleMinorVersionsUpdate"/s);
      await stage.report("dns", { ...WELL, upgradeable: "Unknown", versions: { operator: OLD } });
      await stage.settled();
      await completed(stage, NEW);
    },
  },
  {
    number: 25,
    name: "an image that nobody signed is refused, and by force applied unverified",
    async run(stage) {
      await installed(stage, OLD, [DNS]);
      const image = `${imageOf(PATCH)}${UNSIGNED}`;
      stage.payloads.put(image, releaseFiles(PATCH, [DNS]));
      await stage.ask({ desiredUpdate: { version: PATCH, image } });
      await stage.settled();
      await assertRefused(stage, OLD, /^False RetrievePayload .*The update cannot be verified: /s);
      await stage.ask({ desiredUpdate: { version: PATCH, image, force: true } });
      await stage.settled();
      await allWell(stage, PATCH, ["dns"]);
      const [entry] = (await stage.says()).status?.history ?? [];
      assert.deepEqual([entry?.version, entry?.state, entry?.verified], [PATCH, "Completed", false]);
      assert.match(
        entry?.acceptedRisks ?? "",
        /^Target release version="5\.1\.10" image="[^"]+" cannot be verified, but continuing anyway because the update was forced: /,
      );
    },
  },
  {
    number: 26,
    name: "a version that nobody offers makes the spec invalid until it is mended",
    async run(stage) {
      await installed(stage, OLD, [DNS]);
      await stage.ask({ desiredUpdate: { version: NEW } });
      await stage.settled();
      const { conditions, history } = await stage.says();
      assert.equal(
        conditions.Invalid,
        `True InvalidClusterVersion The cluster version is invalid: spec.desiredUpdate.version: Invalid value: "${NEW}": when image is empty the update must be an available update`,
      );
      assert.equal(
        conditions.Progressing,
        `False InvalidClusterVersion Stopped at ${OLD}: the cluster version is invalid`,
      );
      assert.equal(history[0], `${OLD} Completed`);
      await stage.ask({});
      await stage.settled();
      const mended = (await stage.says()).conditions;
      assert.deepEqual([mended.Invalid, mended.Progressing], [undefined, `False Cluster version is ${OLD}`]);
    },
  },
  {
    number: 26,
    name: "a version that is offered is moved to by its name alone, and stays asked for once it is no longer offered",
    async run(stage) {
      await installed(stage, OLD, [DNS]);
      stage.release(PATCH, [DNS]);
      const nodes = [OLD, PATCH].map((version) => ({ version, payload: imageOf(version) }));
      stage.graph.answer({ state: "answered", graph: { nodes, edges: [[0, 1]] } });
      const upstream = { upstream: "https://updates.example/graph", channel: "steady-5.1" };
      await stage.ask(upstream);
      await stage.settled();
      const offered = await stage.says();
      assert.deepEqual(offered.status?.availableUpdates, [{ version: PATCH, image: imageOf(PATCH) }]);
      assert.equal(offered.conditions.RetrievedUpdates, "True");
      await stage.ask({ ...upstream, desiredUpdate: { version: PATCH } });
      await stage.settled();
      const moving = await stage.says();
      assert.deepEqual([moving.status?.availableUpdates, moving.history[0]], [null, `${PATCH} Partial`]);
      await allWell(stage, PATCH, ["dns"]);
      const moved = await stage.says();
      assert.deepEqual([moved.history[0], moved.conditions.Invalid], [`${PATCH} Completed`, undefined]);
      assert.equal(moved.status?.history?.[0]?.acceptedRisks, undefined);
    },
  },
  {
    number: 26,
    name: "an update under a risk is taken where the risk is accepted by its name, and the history says so",
    async run(stage) {
      await installed(stage, OLD, [DNS]);
      stage.release(PATCH, [DNS]);
      const nodes = [OLD, PATCH].map((version) => ({ version, payload: imageOf(version) }));
      const risk = {
        name: "AlwaysBad",
        url: "https://risk.example/bad",
        message: "It is bad.",
        matchingRules: [{ type: "Always" }],
      };
      const conditionalEdges = [{ edges: [{ from: OLD, to: PATCH }], risks: [risk] }];
      stage.graph.answer({ state: "answered", graph: { nodes, conditionalEdges } });
      const upstream = { upstream: "https://updates.example/graph", channel: "steady-5.1" };
      await stage.ask({ ...upstream, desiredUpdate: { version: PATCH } });
      await stage.settled();
      const refused = await stage.says();
      assert.equal(refused.status?.conditionalUpdates?.[0]?.conditions?.[0]?.reason, "AlwaysBad");
      assert.equal(refused.history[0], `${OLD} Completed`);
      await stage.ask({
        ...upstream,
        desiredUpdate: { version: PATCH, acceptRisks: [{ name: "AlwaysBad" }] },
      });
      await stage.settled();
      await allWell(stage, PATCH, ["dns"]);
      const moved = await stage.says();
      assert.equal(moved.history[0], `${PATCH} Completed`);
      assert.equal(
        moved.status?.history?.[0]?.acceptedRisks,
        `The target release ${imageOf(PATCH)} is exposed to the risks [AlwaysBad] which were all explicitly accepted by the cluster administrator.`,
      );
    },
  },
  {
    number: 26,
    name: "a version that only the past knows is not found, and what runs goes on",
    async run(stage) {
      await installed(stage, OLD, [DNS]);
      await completed(stage, PATCH);
      await stage.ask({ desiredUpdate: { version: OLD } });
      await stage.settled();
      await assertRefused(stage, PATCH, /^False VersionNotFound Version 5\.1\.9 is neither /);
      await stage.ask({ desiredUpdate: { version: PATCH } });
      await stage.settled();
      const { conditions, history } = await stage.says();
      assert.match(conditions.ReleaseAccepted ?? "", /^True PayloadLoaded /);
      assert.deepEqual(history, [`${PATCH} Completed`, `${OLD} Completed`]);
    },
  },
  {
    number: 27,
    name: "a payload of another version than was asked for is not applied",
    async run(stage) {
      await installed(stage, OLD, [DNS]);
      stage.payloads.put(imageOf(PATCH), releaseFiles("5.1.11", [DNS]));
      await stage.ask({ desiredUpdate: { version: PATCH, image: imageOf(PATCH) } });
      await stage.settled();
      await assertRefused(
        stage,
        OLD,
        /^False VerifyPayloadVersion .*release image version 5\.1\.11 does not match the expected upstream version 5\.1\.10$/s,
      );
    },
  },
  {
    number: 28,
    name: "an id that is none is shown, and the first installation goes on",
    async run(stage) {
      stage.release(OLD, [DNS]);
      await stage.ask({ clusterID: "x", desiredUpdate: { version: OLD, image: imageOf(OLD) } });
      await stage.settled();
      await allWell(stage, OLD, ["dns"]);
      const { conditions, history } = await stage.says();
      assert.equal(history[0], `${OLD} Completed`);
      assert.match(conditions.Invalid ?? "", /^True InvalidClusterVersion .*spec\.clusterID/);
      assert.equal((await settings(stage, "dns"))?.data?.version, OLD);
    },
  },
  {
    number: 41,
    name: "what belongs to a disabled capability is left out, and what moves under one enables it",
    async run(stage) {
      const of = (capability: string) => ({ "capability.openshift.io/name": capability });
      const plain = {
        ...DNS,
        files: {
          "20_console": configMap("console", { kept: "yes" }),
          "30_build": configMap("build", { kept: "yes" }, of("Build")),
        },
      };
      const moved = {
        ...DNS,
        files: {
          "20_console": configMap("console", { kept: "yes" }, of("Console")),
          "30_build": configMap("build", { kept: "yes" }, of("Build")),
        },
      };
      const capabilities = { baselineCapabilitySet: "None" };
      stage.release(OLD, [plain]);
      stage.release(PATCH, [moved]);
      const ask = (version: string) =>
        stage.ask({ capabilities, desiredUpdate: { version, image: imageOf(version) } });
      await ask(OLD);
      await stage.settled();
      await allWell(stage, OLD, ["dns"]);
      const before = await stage.says();
      assert.equal(before.history[0], `${OLD} Completed`);
      assert.deepEqual(before.status?.capabilities?.enabledCapabilities ?? [], []);
      assert.equal(
        before.conditions.ImplicitlyEnabledCapabilities,
        "False AsExpected Capabilities match configured spec",
      );
      assert.deepEqual([await there(stage, "console"), await there(stage, "build")], [true, false]);
      await ask(PATCH);
      await stage.settled();
      await allWell(stage, PATCH, ["dns"]);
      const after = await stage.says();
      assert.equal(after.history[0], `${PATCH} Completed`);
      assert.deepEqual(after.status?.capabilities?.enabledCapabilities, ["Console"]);
      assert.equal(
        after.conditions.ImplicitlyEnabledCapabilities,
        "True CapabilitiesImplicitlyEnabled The following capabilities could not be disabled: Console",
      );
      assert.deepEqual([await there(stage, "console"), await there(stage, "build")], [true, false]);
    },
  },
];

const there = async (stage: Bench, name: string): Promise<boolean> =>
  (await stage.get(ConfigMap, name, NAMESPACE)) !== undefined;
