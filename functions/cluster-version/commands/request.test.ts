import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { parseObject } from "../../../shared/kube/read.ts";
import { ClusterVersion } from "../kinds/index.ts";
import type { Version } from "./read.ts";
import { type Allowed, channelOutcome, type UpdateWish, updateOutcome } from "./request.ts";

const NONE: Allowed = { force: false, notRecommended: false, explicit: false };
const entry = (version: string, state = "Completed") => ({
  state,
  version,
  image: `i/${version}`,
  startedTime: "2026-02-03T09:00:00Z",
  completionTime: state === "Completed" ? "2026-02-03T09:10:00Z" : null,
  verified: false,
});
const cluster = (spec: object = {}, history: readonly object[] = [entry("5.1.9")]): Version =>
  parseObject(ClusterVersion, {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version", generation: 1 },
    spec: { clusterID: "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11", ...spec },
    status: {
      observedGeneration: 1,
      desired: { version: "5.1.9", image: "i/5.1.9", channels: ["fast-5.1", "steady-5.1"] },
      versionHash: "x",
      availableUpdates: [
        { version: "5.2.0", image: "i/5.2.0" },
        { version: "5.1.10", image: "i/5.1.10" },
      ],
      conditionalUpdates: [
        {
          release: { version: "5.2.1", image: "i/5.2.1" },
          risks: [
            {
              name: "Leaks",
              url: "https://risk.example",
              message: "It leaks.",
              matchingRules: [{ type: "Always" }],
            },
          ],
          conditions: [
            {
              type: "Recommended",
              status: "False",
              reason: "Leaks",
              message: "It leaks. https://risk.example",
              lastTransitionTime: "2026-02-03T09:00:00Z",
            },
          ],
        },
      ],
      history,
    },
  });
const asked = (wish: UpdateWish, allowed: Partial<Allowed> = {}, version = cluster()) =>
  updateOutcome(version, wish, { ...NONE, ...allowed });
const update = (version: string | null, image: string, force: true | null = null) => ({
  desiredUpdate: { version, image, force, architecture: null, mode: null },
});

describe("a wish for a release", () => {
  it("takes what is offered with its image, and leaves nothing of a former request", () => {
    const former = cluster({ desiredUpdate: { version: "5.1.9", image: "i/other", force: true } });
    const outcome = asked({ to: "version", version: "5.2.0" }, {}, former);
    assert.deepEqual(outcome, {
      outcome: "write",
      spec: update("5.2.0", "i/5.2.0"),
      said: "Asked for 5.2.0 (i/5.2.0).",
      warnings: [],
    });
    const image = asked({ to: "image", image: "i/5.1.10" });
    assert.deepEqual(image.outcome === "write" && image.spec, update("5.1.10", "i/5.1.10"));
    const latest = asked({ to: "latest" });
    assert.deepEqual(latest.outcome === "write" && latest.spec, update("5.2.0", "i/5.2.0"));
  });

  it("refuses what is not recommended, names the risk, and takes it where that is allowed", () => {
    const wish: UpdateWish = { to: "version", version: "5.2.1" };
    const risk = "5.2.1 is not recommended for this cluster: risk Leaks: It leaks. https://risk.example";
    assert.deepEqual(asked(wish), {
      outcome: "refused",
      said: `${risk} Take the risk with --allow-not-recommended, or choose another update.`,
    });
    assert.equal(asked(wish, { force: true, explicit: true }).outcome, "refused");
    const taken = asked(wish, { notRecommended: true });
    assert.deepEqual(taken.outcome === "write" && [taken.spec, taken.warnings], [
      update("5.2.1", "i/5.2.1"),
      [risk],
    ]);
  });

  it("refuses what nobody offers; an image is taken where that is meant", () => {
    assert.match(
      asked({ to: "version", version: "9.9.9" }, { explicit: true }).said,
      /^9\.9\.9 is none of .*\(5\.2\.0, 5\.1\.10\)/,
    );
    const wish: UpdateWish = { to: "image", image: "i/own" };
    assert.match(asked(wish).said, /--allow-explicit-upgrade/);
    const taken = asked(wish, { explicit: true, force: true });
    assert.deepEqual(taken.outcome === "write" && taken.spec, update(null, "i/own", true));
    assert.deepEqual(taken.outcome === "write" && taken.warnings, [
      "Nobody offers i/own, so nobody has said whether it is recommended.",
      "By force: neither its signature nor any precondition holds it up.",
    ]);
  });

  it("writes nothing where nothing would change", () => {
    assert.equal(asked({ to: "version", version: "5.1.9" }).outcome, "nothing");
    const same = cluster({ desiredUpdate: { version: "5.2.0", image: "i/5.2.0" } });
    assert.equal(asked({ to: "version", version: "5.2.0" }, {}, same).said, "5.2.0 is asked for already.");
    assert.equal(asked({ to: "version", version: "5.2.0" }, { force: true }, same).outcome, "write");
    assert.equal(asked({ to: "nothing" }).said, "No release is asked for.");
  });

  it("takes a request back, and says where that leads", () => {
    const moving = cluster({ desiredUpdate: { version: "5.2.0" } }, [
      entry("5.2.0", "Partial"),
      entry("5.1.9"),
    ]);
    assert.deepEqual(asked({ to: "nothing" }, {}, moving), {
      outcome: "write",
      spec: { desiredUpdate: null },
      said: "Took back the request for 5.2.0: the cluster goes back to 5.1.9.",
      warnings: ["What the update has changed so far is not undone, it is applied over."],
    });
    const still = cluster({ desiredUpdate: { version: "5.1.9" } });
    assert.equal(asked({ to: "nothing" }, {}, still).said, "Took back the request for 5.1.9.");
  });
});

describe("a wish for a channel", () => {
  it("must be one that the release is in, unless it is meant", () => {
    const version = cluster({ channel: "steady-5.1" });
    assert.equal(channelOutcome(version, "steady-5.1", false).outcome, "nothing");
    assert.match(
      channelOutcome(version, "slow-5.1", false).said,
      /^slow-5\.1 is none .*\(fast-5\.1, steady-5\.1\)/,
    );
    const explicit = channelOutcome(version, "slow-5.1", true);
    assert.deepEqual(explicit.outcome === "write" && explicit.spec, { channel: "slow-5.1" });
    const none = channelOutcome(version, "", false);
    assert.deepEqual(none.outcome === "write" && [none.spec, none.warnings], [
      { channel: null },
      ["Without a channel no updates are offered."],
    ]);
  });
});
