import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { acceptSignature, releaseAccepted } from "./acceptance.ts";

const release = { version: "5.2.0", image: "reg.example/rel@sha256:bb" };
const free = { force: false, local: false };
const failed = { state: "failed", cause: "no signature by a known key" } as const;

describe("what ReleaseAccepted says", () => {
  const named = 'version="5.2.0" image="reg.example/rel@sha256:bb"';
  for (const [name, verdict, expected] of [
    [
      "retrieving",
      releaseAccepted.retrieving(release),
      ["Unknown", "RetrievePayload", `Retrieving and verifying payload ${named}`],
    ],
    [
      "not retrieved",
      releaseAccepted.retrieveFailed(release, "gone"),
      ["False", "RetrievePayload", `Retrieving payload failed ${named} failure=gone`],
    ],
    [
      "not loaded",
      releaseAccepted.loadFailed(release, "torn"),
      ["False", "LoadPayload", `Loading payload failed ${named} failure=torn`],
    ],
    [
      "scenario 27: another version",
      releaseAccepted.versionDiffers(release, "5.2.1"),
      [
        "False",
        "VerifyPayloadVersion",
        `Verifying payload failed ${named} failure=release image version 5.2.1 does not match the expected upstream version 5.2.0`,
      ],
    ],
    [
      "refused",
      releaseAccepted.preconditionsFailed(release, "no"),
      ["False", "PreconditionChecks", `Preconditions failed for payload loaded ${named}: no`],
    ],
    [
      "loaded",
      releaseAccepted.loaded({ ...release, architecture: "Multi" }),
      ["True", "PayloadLoaded", `Payload loaded ${named} architecture="Multi"`],
    ],
  ] as const)
    test(name, () => assert.deepEqual([verdict.status, verdict.reason, verdict.message], expected));
});

describe("scenario 25: whether a signature lets a payload through", () => {
  test("a good one does", () =>
    assert.deepEqual(acceptSignature(release, { state: "verified" }, free), {
      accepted: true,
      verified: true,
    }));
  test("a bad one does not", () =>
    assert.deepEqual(acceptSignature(release, failed, free), {
      accepted: false,
      reason: "ImageVerificationFailed",
      message: "The update cannot be verified: no signature by a known key",
    }));
  test("by force it does, and the risk is told", () =>
    assert.deepEqual(acceptSignature(release, failed, { force: true, local: false }), {
      accepted: true,
      verified: false,
      acceptedRisk:
        'Target release version="5.2.0" image="reg.example/rel@sha256:bb" cannot be verified, but continuing anyway because the update was forced: no signature by a known key',
    }));
  test("where nobody looked it does, unverified", () =>
    assert.deepEqual(acceptSignature(release, { state: "unverified" }, free), {
      accepted: true,
      verified: false,
    }));
  test("where nobody looked and a signature is required it does not", () =>
    assert.equal(
      acceptSignature(release, { state: "unverified" }, { ...free, required: true }).accepted,
      false,
    ));
  test("the controller's own needs none", () =>
    assert.equal(acceptSignature(release, failed, { force: false, local: true }).accepted, true));
});
