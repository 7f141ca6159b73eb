import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { gateError } from "./gate.ts";
import { summarise } from "./summary.ts";
import { phraseOf, refusedTask } from "./update-error.ts";

const LABEL = 'deployment "demo/web" (3 of 40)';

describe("what a pass is said to have failed of", () => {
  test("nothing, one, and several that say the same", () => {
    const one = refusedTask(LABEL, "KUBE_FORBIDDEN");
    assert.equal(summarise([]), undefined);
    assert.deepEqual(summarise([one]), one);
    assert.deepEqual(summarise([one, one]), one);
  });

  test("operators with the same reason become one, by the worst effect, sorted by name", () => {
    const both = summarise([
      gateError("ClusterOperatorDegraded", "Report", ["web"]),
      gateError("ClusterOperatorDegraded", "FailAfterInterval", ["dns"]),
    ]);
    assert.deepEqual(both, {
      effect: "FailAfterInterval",
      reason: "ClusterOperatorsDegraded",
      message: "Cluster operators dns, web are degraded",
      names: ["dns", "web"],
    });
  });

  test("scenario 19: three operators on their way and one unavailable are several errors", () => {
    const all = summarise([
      gateError("ClusterOperatorUpdating", "None", ["b"]),
      gateError("ClusterOperatorNotAvailable", "Fail", ["z"]),
      gateError("ClusterOperatorUpdating", "None", ["a"]),
      gateError("ClusterOperatorUpdating", "None", ["c"]),
    ]);
    assert.equal(all?.reason, "MultipleErrors");
    assert.equal(
      all.message,
      "Multiple errors are preventing progress:\n* Cluster operator z is not available\n* Cluster operators a, b, c are updating versions",
    );
    assert.deepEqual(
      all.members?.map(({ reason }) => reason),
      ["ClusterOperatorNotAvailable", "ClusterOperatorsUpdating"],
    );
  });

  test("other errors come before those of operators, and messages are sorted and told once", () => {
    const all = summarise([
      gateError("ClusterOperatorDegraded", "FailAfterInterval", ["a"]),
      refusedTask(LABEL, "KUBE_INVALID"),
      refusedTask(LABEL, "KUBE_INVALID"),
      refusedTask('role "demo/x" (4 of 40)', "UNEXPECTED"),
    ]);
    assert.equal(
      all?.message,
      'Multiple errors are preventing progress:\n* Cluster operator a is degraded\n* Could not update deployment "demo/web" (3 of 40): the object is invalid, possibly due to local cluster configuration\n* Could not update role "demo/x" (4 of 40)',
    );
    assert.equal(all.members?.at(-1)?.reason, "ClusterOperatorDegraded");
  });
});

describe("what the server's answer means", () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    [
      "KUBE_MISSING",
      "UpdatePayloadResourceNotFound",
      "resource may have been deleted",
      "some resources could not be updated",
    ],
    [
      "KUBE_EXISTS",
      "UpdatePayloadResourceNotFound",
      "resource may have been deleted",
      "some resources could not be updated",
    ],
    [
      "KUBE_CONFLICT",
      "UpdatePayloadResourceConflict",
      "someone else is updating this resource",
      "some resources could not be updated",
    ],
    [
      "KUBE_UNAVAILABLE",
      "UpdatePayloadClusterDown",
      "the server is down or not responding",
      "the control plane is down or not responding",
    ],
    [
      "KUBE_INTERNAL",
      "UpdatePayloadClusterError",
      "the server is reporting an internal error",
      "the control plane is reporting an internal error",
    ],
    [
      "KUBE_INVALID",
      "UpdatePayloadResourceInvalid",
      "the object is invalid, possibly due to local cluster configuration",
      "some cluster configuration is invalid",
    ],
    [
      "KUBE_UNAUTHORIZED",
      "UpdatePayloadClusterUnauthorized",
      "could not authenticate to the server",
      "could not authenticate to the server",
    ],
    [
      "KUBE_FORBIDDEN",
      "UpdatePayloadResourceForbidden",
      "the server has forbidden updates to this resource",
      "the server is rejecting updates",
    ],
    [
      "KUBE_THROTTLED",
      "UpdatePayloadClusterOverloaded",
      "the server is overloaded and is not accepting updates",
      "the control plane is overloaded and is not accepting updates",
    ],
    [
      "KUBE_KIND_MISSING",
      "UpdatePayloadResourceTypeMissing",
      "the server does not recognize this resource, check extension API servers",
      "a required extension is not available to update",
    ],
  ];
  for (const [code, reason, cause, phrase] of cases)
    test(code, () => {
      const error = refusedTask(LABEL, code);
      assert.equal(error.reason, reason);
      assert.equal(error.message, `Could not update ${LABEL}: ${cause}`);
      assert.equal(phraseOf(reason, ""), phrase);
    });

  test("a server that fails is not one that is down", () => {
    assert.equal(refusedTask(LABEL, "KUBE_UNAVAILABLE", 503).reason, "UpdatePayloadClusterDown");
    assert.equal(refusedTask(LABEL, "KUBE_UNAVAILABLE", 500).reason, "UpdatePayloadClusterError");
  });

  test("anything else has no cause that could be told", () => {
    assert.deepEqual(refusedTask(LABEL, "UNEXPECTED"), {
      effect: "Fail",
      reason: "UpdatePayloadFailed",
      message: `Could not update ${LABEL}`,
      names: [],
    });
  });

  const phrases: readonly (readonly [string, string, string])[] = [
    ["UpdatePayloadFailed", "", "the update could not be applied"],
    ["UpdatePayloadRetrievalFailed", "", "could not download the update"],
    ["UpdatePayloadIntegrity", "", "the contents of the update are invalid"],
    ["ImageVerificationFailed", "", "the image may not be safe to use"],
    ["UpgradePreconditionCheckFailed", "", "it may not be safe to apply this update"],
    ["ClusterOperatorDegraded", "a", "the cluster operator a is degraded"],
    ["ClusterOperatorNotAvailable", "a", "the cluster operator a is not available"],
    ["ClusterOperatorNoVersions", "a", "the cluster operator a does not declare expected versions"],
    ["ClusterOperatorsNotAvailable", "a, b", "some cluster operators are not available"],
    ["WorkloadNotAvailable", "w", "the workload w has not yet successfully rolled out"],
    ["WorkloadNotProgressing", "w", "the workload w cannot roll out"],
    ["ClusterOperatorsDegraded", "a, b", "a, b has an unknown error: ClusterOperatorsDegraded"],
    ["Whatever", "", "an unknown error has occurred: Whatever"],
  ];
  for (const [reason, name, phrase] of phrases)
    test(`the phrase for ${reason}`, () => assert.equal(phraseOf(reason, name), phrase));
});
