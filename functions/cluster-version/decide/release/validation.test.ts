import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { clusterVersion, completed } from "../../test/target-objects.ts";
import { faultsOf, faultText, invalidVerdict, usableSpec } from "./validation.ts";

const V = "spec.desiredUpdate.version";
const NOT_AVAILABLE = "when image is empty the update must be an available update";
const release = (version: string, image: string) => ({ version, image });

describe("what is wrong with a spec", () => {
  for (const [name, spec, status, expected] of [
    ["nothing", {}, {}, []],
    [
      "an id that is no UUID",
      { clusterID: "x" },
      {},
      ['spec.clusterID: Invalid value: "x": must be an RFC4122-variant UUID'],
    ],
    [
      "an id of another version",
      { clusterID: "6a0f7a52-2f0e-1a53-9d0a-0b9f0a3f7c11" },
      {},
      ['spec.clusterID: Invalid value: "6a0f7a52-2f0e-1a53-9d0a-0b9f0a3f7c11": must be a version-4 UUID'],
    ],
    [
      "an id of another variant",
      { clusterID: "6a0f7a52-2f0e-4a53-cd0a-0b9f0a3f7c11" },
      {},
      [
        'spec.clusterID: Invalid value: "6a0f7a52-2f0e-4a53-cd0a-0b9f0a3f7c11": must be an RFC4122-variant UUID',
      ],
    ],
    ["an empty upstream is none", { upstream: "" }, {}, []],
    [
      "an upstream that is no URL",
      { upstream: "::" },
      {},
      ['spec.upstream: Invalid value: "::": must be a valid URL or empty'],
    ],
    [
      "an empty request",
      { desiredUpdate: {} },
      {},
      ["spec.desiredUpdate: Required value: must specify architecture, version, or image"],
    ],
    [
      "an architecture alone",
      { desiredUpdate: { architecture: "Multi" } },
      {},
      [`${V}: Required value: Version must be set if Architecture is set`],
    ],
    [
      "architecture and image",
      { desiredUpdate: { architecture: "Multi", image: "i", version: "5.1.9" } },
      {},
      ['spec.desiredUpdate.architecture: Invalid value: "Multi": cannot set both Architecture and Image'],
    ],
    ["an image alone", { desiredUpdate: { image: "i" } }, {}, []],
    [
      "a version that is none, though with an image",
      { desiredUpdate: { image: "i", version: "v5.2.0" } },
      {},
      [`${V}: Invalid value: "v5.2.0": must be a semantic version (1.2.3[-...])`],
    ],
    ["a version with an image", { desiredUpdate: { image: "i", version: "5.2.0" } }, {}, []],
    [
      "a version that is not offered",
      { desiredUpdate: { version: "5.2.0" } },
      {},
      [`${V}: Invalid value: "5.2.0": ${NOT_AVAILABLE}`],
    ],
    [
      "a version that is offered",
      { desiredUpdate: { version: "5.2.0" } },
      { availableUpdates: [release("5.2.0", "i")] },
      [],
    ],
    [
      "a version that is offered without an image",
      { desiredUpdate: { version: "5.2.0" } },
      { availableUpdates: [release("5.2.0", "")] },
      [`${V}: Invalid value: "5.2.0": ${NOT_AVAILABLE}`],
    ],
    [
      "a version that is offered twice",
      { desiredUpdate: { version: "5.2.0" } },
      { availableUpdates: [release("5.2.0", "i"), release("5.2.0", "j")] },
      [
        `${V}: Invalid value: "5.2.0": there are multiple possible payloads for this version, specify the exact image`,
      ],
    ],
    [
      "a version that is not recommended here",
      { desiredUpdate: { version: "5.2.0" } },
      { conditionalUpdates: [{ release: release("5.2.0", "i"), risks: [] }] },
      [`${V}: Invalid value: "5.2.0": ${NOT_AVAILABLE}`],
    ],
    ["the version that runs", { desiredUpdate: { version: "5.1.9" } }, {}, []],
    [
      "a version of the past",
      { desiredUpdate: { version: "5.1.8" } },
      { history: [completed("5.1.9"), completed("5.1.8")] },
      [],
    ],
  ] as const)
    test(name, () => assert.deepEqual(faultsOf(clusterVersion(spec, status)).map(faultText), expected));
});

for (const clusterID of [
  "",
  "6A0F7A52-2F0E-4A53-9D0A-0B9F0A3F7C11",
  "urn:uuid:6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11",
  "{6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11}",
  "6a0f7a522f0e4a539d0a0b9f0a3f7c11",
])
  test(`the id ${JSON.stringify(clusterID)} is no fault`, () =>
    assert.deepEqual(faultsOf(clusterVersion({ clusterID })), []));

test("scenario 26: a version that is not offered makes Invalid True, and mending the spec takes it away", () => {
  const faults = faultsOf(clusterVersion({ desiredUpdate: { version: "5.2.0" } }));
  assert.deepEqual(invalidVerdict(faults), {
    status: "True",
    reason: "InvalidClusterVersion",
    message: `The cluster version is invalid: ${V}: Invalid value: "5.2.0": ${NOT_AVAILABLE}`,
  });
  assert.equal(invalidVerdict(faultsOf(clusterVersion())), undefined);
});

test("scenario 28: a bad clusterID leaves the rest of the spec in force", () => {
  const { spec } = clusterVersion({ clusterID: "x", desiredUpdate: { image: "i" } });
  const faults = faultsOf({ spec });
  assert.deepEqual(usableSpec(spec, faults), { ...spec, clusterID: "" });
});

test("several faults are listed one a line, and each of their fields is unset", () => {
  const { spec } = clusterVersion({ clusterID: "x", desiredUpdate: {}, upstream: "::" });
  const faults = faultsOf({ spec });
  assert.equal(
    invalidVerdict(faults)?.message,
    'The cluster version is invalid:\n* spec.upstream: Invalid value: "::": must be a valid URL or empty\n* spec.clusterID: Invalid value: "x": must be an RFC4122-variant UUID\n* spec.desiredUpdate: Required value: must specify architecture, version, or image\n',
  );
  const usable = usableSpec(spec, faults);
  assert.deepEqual(
    [usable.clusterID, usable.upstream, usable.desiredUpdate, usable.channel],
    ["", undefined, undefined, "steady-5.1"],
  );
});
