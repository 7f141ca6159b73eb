import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { manifestName } from "./name.ts";

describe("the name of a Manifest", () => {
  test("is upstream's", () => {
    assert.equal(
      manifestName("kyma-sample", "kyma-project.io/module/template-operator", "template-operator"),
      "kyma-sample-template-operator-2235966007",
    );
  });

  test("tells components apart whose last word is the same", () => {
    const of = (component: string) => manifestName("rt-1", component, "alpha");
    assert.notEqual(of("acme.com/alpha"), of("other.com/alpha"));
    assert.match(of("acme.com/alpha"), /^rt-1-alpha-\d+$/);
  });

  test("fits, and ends with no dash", () => {
    const long = manifestName("k".repeat(40), `acme.com/${"m".repeat(40)}`, "m");
    assert.equal(long, `${"k".repeat(40)}-${"m".repeat(21)}`);
    assert.equal(manifestName("k".repeat(61), "acme.com/alpha", "alpha"), "k".repeat(61));
  });

  test("is left whole up to 62 characters", () => {
    const name = manifestName("k", "acme.com/alpha", "alpha");
    const fitting = manifestName("k".repeat(1 + 62 - name.length), "acme.com/alpha", "alpha");
    assert.equal(fitting.length, 62);
    assert.match(fitting, /-alpha-\d+$/);
  });
});
