import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { clusterVersion, completed, partial } from "../../test/target-objects.ts";
import { chooseTarget, runningRelease } from "./choose.ts";
import type { DesiredUpdate, Status } from "./types.ts";

const RUNNING = { version: "5.1.9", image: "reg.example/rel@sha256:aa" };
const chosen = (desiredUpdate: DesiredUpdate | undefined, status: Partial<Status> = {}) =>
  chooseTarget(clusterVersion({ desiredUpdate }, status), RUNNING);
const imageOf = (desiredUpdate: DesiredUpdate, status: Partial<Status> = {}): string => {
  const target = chosen(desiredUpdate, status);
  return target.state === "requested" ? target.image : target.state;
};
const multi = { version: "5.1.9", image: "m", architecture: "Multi" };

describe("which image a request means", () => {
  test("none is asked for: what runs", () =>
    assert.deepEqual(chosen(undefined), { state: "running", release: RUNNING }));
  for (const [name, asked, status, expected] of [
    [
      "its own, whatever is offered",
      { version: "5.2.0", image: "i" },
      { availableUpdates: [{ version: "5.2.0", image: "j" }] },
      "i",
    ],
    [
      "the one that is offered",
      { version: "5.2.0" },
      { availableUpdates: [{ version: "5.2.0", image: "j" }] },
      "j",
    ],
    ["what runs, by its version", { version: "5.1.9" }, {}, RUNNING.image],
    [
      "what is being moved to, by its version",
      { version: "5.2.0" },
      { desired: { version: "5.2.0", image: "k" } },
      "k",
    ],
    [
      "one for several architectures",
      { version: "5.1.9", architecture: "Multi" },
      { availableUpdates: [multi] },
      "m",
    ],
    ["none for several architectures", { version: "5.1.9", architecture: "Multi" }, {}, "not found"],
    ["none that is only in the past", { version: "5.1.8" }, {}, "not found"],
  ] as const)
    test(name, () => assert.equal(imageOf(asked, status), expected));
});

test("a version of the past is told as not found, and what runs goes on", () => {
  const target = chosen({ version: "5.1.8" });
  assert.equal(target.state, "not found");
  assert.deepEqual(
    target.state === "not found" && [target.release, target.accepted.status, target.accepted.reason],
    [RUNNING, "False", "VersionNotFound"],
  );
});

test("force and accepted risks travel with the request", () => {
  const target = chosen({ image: "i", force: true, acceptRisks: [{ name: "A" }] });
  assert.deepEqual(target, {
    state: "requested",
    version: "",
    image: "i",
    architecture: "",
    force: true,
    acceptedRiskNames: ["A"],
  });
});

describe("what runs", () => {
  const initial = { version: "5.0.0", image: "first", url: "https://release.example/5.0.0" };
  test("what it was installed with, before anything is completed", () => {
    assert.deepEqual(runningRelease(undefined, initial), initial);
    assert.deepEqual(runningRelease([partial("5.1.0")], initial), initial);
  });
  test("scenario 20: what was last completed, while another is half applied", () =>
    assert.deepEqual(runningRelease([partial("5.2.0"), completed("5.1.9", "aa")], initial), {
      version: "5.1.9",
      image: "aa",
    }));
  test("its own description, where it is the one it was installed with", () =>
    assert.deepEqual(runningRelease([completed("5.0.0", "first")], initial), initial));
});
