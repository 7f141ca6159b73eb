import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { operator, waitFor } from "../../test/coordination-objects.ts";
import { groupReadiness, readiness } from "./readiness.ts";

const api = (version: string, more: Parameters<typeof operator>[2] = {}) =>
  operator("kube-apiserver", { operator: version, "kube-apiserver": "1.33.4" }, more);

describe("readiness", () => {
  it("asks for the release where no operand is named, and for the operand where one is", () => {
    assert.equal(readiness(waitFor("scheduler", "kube-apiserver"), api("1.14.0")).ready, true);
    const operand = waitFor("scheduler", "kube-apiserver", { operand: "kube-apiserver", version: "1.33.4" });
    assert.equal(readiness(operand, api("1.14.0")).ready, true);
    assert.deepEqual(readiness({ ...operand, operand: "etcd" }, api("1.14.0")), {
      ready: false,
      reason: "VersionMissing",
      message: "Cluster operator kube-apiserver publishes no version of etcd",
    });
  });

  it("is not ready by the version alone, nor by being done alone (C5)", () => {
    const dependency = waitFor("scheduler", "kube-apiserver");
    assert.deepEqual(readiness(dependency, api("1.14.0", { progressing: "True", degraded: "Unknown" })), {
      ready: false,
      reason: "NotDone",
      message:
        "Cluster operator kube-apiserver is at operator 1.14.0, but Progressing is True and Degraded is Unknown",
    });
    assert.equal(readiness(dependency, api("1.13.9")).reason, "OtherVersion");
    assert.equal(readiness(dependency, undefined).reason, "OperatorMissing");
  });

  it("compares byte for byte unless a later version is asked for in so many words", () => {
    const exact = waitFor("scheduler", "kube-apiserver");
    const atLeast = { ...exact, comparison: "AtLeast" } as const;
    assert.equal(readiness(exact, api("1.15.0")).ready, false);
    assert.equal(readiness(exact, api("1.14.0+build")).ready, false);
    assert.equal(readiness(atLeast, api("1.15.0")).ready, true);
    assert.equal(readiness(atLeast, api("1.14.0-rc.1")).ready, false);
    assert.equal(readiness(atLeast, api("v1.15")).reason, "VersionNotComparable");
    assert.equal(readiness({ ...atLeast, version: "soon" }, api("1.15.0")).reason, "VersionNotComparable");
  });

  it("holds for exactly one of all combinations of the conditions", () => {
    const word = fc.constantFrom("True", "False", "Unknown") satisfies fc.Arbitrary<
      "True" | "False" | "Unknown"
    >;
    fc.assert(
      fc.property(
        word,
        word,
        word,
        fc.constantFrom("1.14.0", "1.13.0"),
        (available, progressing, degraded, at) => {
          const found = readiness(
            waitFor("scheduler", "kube-apiserver"),
            api(at, { available, progressing, degraded }),
          );
          const expected =
            at === "1.14.0" && available === "True" && progressing === "False" && degraded === "False";
          assert.equal(found.ready, expected);
        },
      ),
    );
  });
});

describe("groupReadiness", () => {
  const plane = ["etcd", "kube-apiserver", "kube-scheduler"].map((name) => waitFor("storage", name));

  it("tells which of a set are not there yet (C8)", () => {
    const operators = new Map(
      [
        operator("etcd", { operator: "1.14.0" }),
        operator("kube-apiserver", { operator: "1.14.0" }, { degraded: "True" }),
      ].map((one) => [one.metadata.name, one]),
    );
    assert.deepEqual(groupReadiness(plane, operators), {
      ready: false,
      missing: [
        {
          operator: "kube-apiserver 1.14.0",
          message: "Cluster operator kube-apiserver is at operator 1.14.0, but Degraded is True",
        },
        { operator: "kube-scheduler 1.14.0", message: "Cluster operator kube-scheduler does not exist" },
      ],
    });
  });

  it("is ready when each is", () => {
    const operators = new Map(
      plane.map(({ operator: name }) => [name, operator(name, { operator: "1.14.0" })]),
    );
    assert.deepEqual(groupReadiness(plane, operators), { ready: true, missing: [] });
  });
});
