import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Requirement } from "../../kinds/index.ts";
import { catalogCycles, cyclesText, newCycles } from "./index.ts";

/** A version, `alpha-1.0.0`, and what it requires: modules by name, capabilities with +; what it provides after a colon. */
const template = (name: string, written = "") => {
  const [requires = "", provides = ""] = written.split(":");
  const words = (text: string) => text.split(" ").filter((word) => word !== "");
  const [moduleName = "", version = ""] = name.split(/-(?=\d)/);
  return {
    metadata: { name, labels: {}, generation: 1 },
    spec: {
      moduleName,
      version,
      descriptor: {},
      requires: words(requires).map(
        (word): Requirement => (word.startsWith("+") ? { capability: word.slice(1) } : { module: word }),
      ),
      provides: words(provides),
    },
  };
};
const release = (moduleName: string, channels: Readonly<Record<string, string>> | string) => ({
  metadata: { name: moduleName },
  spec: {
    moduleName,
    beta: false,
    internal: false,
    ...(typeof channels === "string"
      ? { mandatory: { version: channels } }
      : { channels: Object.entries(channels).map(([channel, version]) => ({ channel, version })) }),
  },
});

describe("circles of requirements in a catalog (DEP6)", () => {
  const both = [
    release("alpha", { regular: "1.0.0", fast: "1.1.0" }),
    release("beta", { regular: "1.0.0", fast: "1.0.0" }),
  ];
  const alone = [template("alpha-1.0.0"), template("alpha-1.1.0", "beta")];
  test("are looked for among the versions of a channel", () => {
    const templates = [...alone, template("beta-1.0.0", "alpha")];
    assert.deepEqual(catalogCycles({ releases: both, templates }), [
      { channel: "fast", way: ["alpha", "beta", "alpha"] },
    ]);
  });
  test("go through modules that each cluster gets", () => {
    const releases = [release("alpha", "1.1.0"), release("beta", { fast: "1.0.0" })];
    const templates = [...alone, template("beta-1.0.0", "alpha")];
    assert.deepEqual(
      catalogCycles({ releases, templates }).map(({ channel }) => channel),
      ["fast"],
    );
  });
  test("are none without a release, unless a version requires its own module", () => {
    const templates = [template("alpha-1.1.0", "beta"), template("beta-1.0.0", "alpha")];
    assert.deepEqual(catalogCycles({ releases: [], templates }), []);
    const own = [template("gamma-1.0.0", "+x:x"), template("gamma-1.1.0", "+x:x")];
    assert.deepEqual(catalogCycles({ releases: [], templates: own }), [
      { channel: undefined, way: ["gamma", "gamma"] },
    ]);
  });
  test("count against a change only where it brings them", () => {
    const before = { releases: both, templates: alone };
    const after = { releases: both, templates: [...alone, template("beta-1.0.0", "alpha")] };
    const cycles = newCycles(before, after);
    assert.equal(
      cyclesText(cycles),
      "On the channel fast modules require each other: alpha → beta → alpha. They could not be installed: make one of these requirements optional, or release another version of the other module first.",
    );
    assert.deepEqual(newCycles(after, after), []);
    assert.deepEqual(newCycles(after, before), []);
  });
});
