import assert from "node:assert/strict";
import { test } from "vitest";
import { configuration } from "../../configuration.ts";
import { proxyOf, shapeOf } from "./cluster-shape.ts";

const config = configuration.parse({ featureSet: "TechPreviewNoUpgrade", featureGates: ["Mine"] });
const gates = (...names: readonly string[]) => names.map((name) => ({ name }));
const featureGate = {
  spec: { featureSet: "CustomNoUpgrade" },
  status: {
    featureGates: [
      { version: "5.2.0", enabled: gates("New", "Both"), disabled: [] },
      { version: "5.1.9", enabled: gates("Old", "Both") },
    ],
  },
};

test("feature set and gates are those of the cluster's FeatureGate, for the version that runs", () => {
  const shape = shapeOf(config, featureGate, "5.1.9");
  assert.deepEqual(shape, {
    profile: config.profile,
    excludeIdentifier: "",
    featureSet: "CustomNoUpgrade",
    featureGates: ["Both", "Old"],
  });
  assert.deepEqual(shapeOf(config, featureGate, "5.0.0").featureGates, ["Both", "New"]);
});

test("without one the configuration says them; one that says nothing is the default set", () => {
  assert.deepEqual(shapeOf(config, undefined, "5.1.9").featureGates, ["Mine"]);
  assert.equal(shapeOf(config, undefined, "5.1.9").featureSet, "TechPreviewNoUpgrade");
  assert.deepEqual(shapeOf(config, { spec: {} }, "5.1.9"), {
    profile: config.profile,
    excludeIdentifier: "",
    featureSet: "",
    featureGates: [],
  });
});

test("a proxy that is not there is an empty one", () => {
  assert.deepEqual(proxyOf(undefined), { httpProxy: "", httpsProxy: "", noProxy: "" });
  assert.equal(proxyOf({ status: { httpsProxy: "http://p:1", noProxy: ".svc" } }).httpsProxy, "http://p:1");
});
