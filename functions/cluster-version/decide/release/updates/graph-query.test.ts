import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { clusterVersion } from "../../../test/target-objects.ts";
import type { Spec, Status } from "../types.ts";
import { fingerprintOf, questionOf } from "./graph-query.ts";

const settings = { updateService: "https://updates.example/graph", architecture: "amd64" };
const ask = (spec: Partial<Spec> = {}, status: Partial<Status> = {}, more: object = {}) =>
  questionOf(clusterVersion(spec, status), { ...settings, ...more });
const desired = (more: object) => ({ desired: { version: "5.1.9", image: "i", ...more } });
const multi = { desiredUpdate: { architecture: "Multi", version: "5.1.9" } };

test("what the update service is asked", () => {
  assert.deepEqual(ask(), {
    state: "ask",
    migrates: false,
    query: {
      upstream: "https://updates.example/graph",
      architecture: "amd64",
      channel: "steady-5.1",
      clusterID: "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11",
      version: "5.1.9",
    },
  });
});

test("the spec's own service comes first", () => {
  const question = ask({ upstream: "https://own.example" });
  assert.equal(question.state === "ask" && question.query.upstream, "https://own.example");
});

describe("clusters of several architectures", () => {
  for (const [name, spec, status, expected] of [
    ["one that is asks for them", {}, desired({ architecture: "Multi" }), ["multi", false]],
    ["one that is to become so migrates", multi, {}, ["multi", true]],
    ["one that is already does not migrate", multi, desired({ architecture: "Multi" }), ["multi", false]],
  ] as const)
    test(name, () => {
      const question = ask(spec, status);
      assert.deepEqual(
        question.state === "ask" && [question.query.architecture, question.migrates],
        expected,
      );
    });
});

describe("why nothing can be asked", () => {
  for (const [reason, spec, status, more, message] of [
    [
      "NoUpstream",
      {},
      {},
      { updateService: "" },
      "No updateService server has been set to retrieve updates.",
    ],
    ["InvalidURI", { upstream: "::" }, {}, {}, 'failed to parse update service URL: "::" is no URL'],
    ["InvalidID", { clusterID: "x" }, {}, {}, "invalid cluster ID: must be an RFC4122-variant UUID"],
    ["NoArchitecture", {}, {}, { architecture: "" }, "Architecture has not been configured."],
    [
      "NoCurrentVersion",
      {},
      desired({ version: "" }),
      {},
      "The cluster version does not have a semantic version assigned and cannot calculate valid upgrades.",
    ],
    ["NoChannel", { channel: "" }, {}, {}, "The update channel has not been configured."],
    [
      "InvalidCurrentVersion",
      {},
      desired({ version: "nightly" }),
      {},
      "The current cluster version is not a valid semantic version and cannot be used to calculate upgrades.",
    ],
  ] as const)
    test(reason, () =>
      assert.deepEqual(ask(spec, status, more), {
        state: "cannot ask",
        verdict: { status: "False", reason, message },
      }),
    );
  test("the first of several", () => {
    const question = ask({ clusterID: "x", channel: "" }, {}, { architecture: "" });
    assert.equal(question.state === "cannot ask" && question.verdict.reason, "InvalidID");
  });
});

test("another channel, version, architecture or service is another question, another cluster is not", () => {
  const base = { upstream: "u", architecture: "a", channel: "c", clusterID: "i", version: "v" };
  const prints = [{}, { upstream: "x" }, { architecture: "x" }, { channel: "x" }, { version: "x" }].map(
    (more) => fingerprintOf({ ...base, ...more }),
  );
  assert.equal(new Set(prints).size, 5);
  assert.equal(fingerprintOf({ ...base, clusterID: "x" }), prints[0]);
  assert.notEqual(
    fingerprintOf({ ...base, channel: "a b", upstream: "c" }),
    fingerprintOf({ ...base, channel: "a", upstream: "b c" }),
  );
});
