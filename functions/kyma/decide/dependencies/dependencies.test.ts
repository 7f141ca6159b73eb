import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { ANNOTATIONS, type Requirement } from "../../kinds/index.ts";
import {
  adviceOn,
  dependenciesAmong,
  dependencyAnnotations,
  type EnabledModule,
  isAdvice,
  keptCapabilities,
  keptRequirements,
  providerFault,
} from "./index.ts";

/** Modules by name: what each requires, `beta` a module, `+x` a capability, `~` in front optional; what it provides after a colon. */
const modulesOf = (written: Readonly<Record<string, string>>): readonly EnabledModule[] =>
  Object.entries(written).map(([name, text]) => {
    const [requires = "", provides = ""] = text.split(":");
    const words = (all: string) => all.split(" ").filter((word) => word !== "");
    return {
      name,
      manifest: `rt-${name}`,
      requires: words(requires).map((word): Requirement => {
        const plain = word.replace("~", "");
        return {
          ...(plain.startsWith("+") ? { capability: plain.slice(1) } : { module: plain }),
          ...(word.startsWith("~") && { optional: true }),
        };
      }),
      provides: words(provides),
    };
  });

describe("cycles of requirements (DEP6)", () => {
  const CASES: Readonly<
    Record<string, readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>]>
  > = {
    "two modules": [
      { a: "b", b: "a", c: "" },
      { a: "a → b → a", b: "b → a → b" },
    ],
    "a module that requires itself": [{ a: "a" }, { a: "a → a" }],
    "three, and one that only needs them": [
      { a: "b", b: "c", c: "a", d: "a" },
      { a: "a → b → c → a", b: "b → c → a → b", c: "c → a → b → c" },
    ],
    "an optional requirement": [{ a: "b", b: "~a" }, {}],
    "what is merely missing": [{ a: "b", c: "+x" }, {}],
    "a capability that one module provides": [
      { a: "+x", b: "a :x" },
      { a: "a → b → a", b: "b → a → b" },
    ],
    "a capability that another provides too": [{ a: "+x", b: "a :x", c: ":x" }, {}],
    "a capability that nobody outside provides": [
      { a: "+x", b: "a :x", c: "a :x" },
      { a: "a → b → a", b: "b → a → b", c: "c → a → c" },
    ],
    "two cycles that share a module": [
      { a: "b c", b: "a", c: "a" },
      { a: "a → b → a", b: "b → a → b", c: "c → a → c" },
    ],
    "a ladder without one": [{ a: "b c", b: "d", c: "d", d: "" }, {}],
  };
  for (const [title, [written, expected]] of Object.entries(CASES))
    test(title, () => {
      const { cycle } = dependenciesAmong(modulesOf(written));
      for (const name of Object.keys(written)) {
        const path = expected[name];
        if (path === undefined) assert.equal(cycle(name), undefined, name);
        else assert.match(cycle(name) ?? "", new RegExp(`: ${path}\\.`), name);
      }
    });
  test("kinds close none", () => {
    const crd = { group: "acme.test", kind: "Store", version: "v1" };
    const one = (name: string): EnabledModule => ({
      name,
      manifest: name,
      requires: [{ crd }],
      provides: [],
    });
    assert.equal(dependenciesAmong([one("a"), one("b")]).cycle("a"), undefined);
  });
});

describe("what is told of dependencies", () => {
  const crd = { group: "acme.test", kind: "Store", version: "v1" };
  test("to a Manifest are requirements with the Manifests that provide them", () => {
    const { requires, unprovided } = dependenciesAmong(modulesOf({ b: ":x", a: ":x" }));
    const template = {
      requires: [{ capability: "x" }, { module: "a" }, { module: "gone" }, { crd }],
    };
    assert.deepEqual(requires(template), [
      { capability: "x", of: ["rt-a", "rt-b"] },
      { module: "a", of: ["rt-a"] },
      { module: "gone", of: [] },
      { crd },
    ]);
    const isMissed = () => true;
    assert.deepEqual(unprovided(template, isMissed), [{ module: "gone" }, { crd }]);
    assert.deepEqual(
      unprovided(template, () => false),
      [{ module: "gone" }],
    );
    const brings = [{ group: "acme.test", kind: "Store" }];
    const own = { name: "c", manifest: "rt-c", requires: [], provides: [], kinds: brings };
    assert.deepEqual(dependenciesAmong([own]).unprovided({ requires: [{ crd }] }, isMissed), []);
  });
  test("of a module that goes is who needs it, and has nothing else", () => {
    const { dependents } = dependenciesAmong(modulesOf({ a: "gone", b: "~gone", c: "+x", d: "+y", e: ":y" }));
    assert.deepEqual(dependents({ name: "gone", provides: ["x", "y"] }), ["a", "c"]);
    assert.deepEqual(dependents({ name: "other", provides: [] }), []);
  });
  test("of a module whose kind others require is who they are, unless another one brings it", () => {
    const brings = { name: "gone", provides: [], kinds: [{ group: "acme.test", kind: "Store" }] };
    const needy = { name: "a", manifest: "rt-a", requires: [{ crd }], provides: [] };
    const other = { ...brings, name: "b", manifest: "rt-b", requires: [] };
    assert.deepEqual(dependenciesAmong([needy]).dependents(brings), ["a"]);
    assert.deepEqual(dependenciesAmong([needy, other]).dependents(brings), []);
    const optional = { ...needy, requires: [{ crd, optional: true }] };
    assert.deepEqual(dependenciesAmong([optional]).dependents(brings), []);
  });
  test("is an advice that names what the catalog has, and is known again", () => {
    const advices = [
      [adviceOn({ module: "a" }, ["a"]), /provides the module a: enable it, the catalog has it\.$/],
      [
        adviceOn({ module: "a" }, []),
        /provides the module a, and the catalog does not have it for this Kyma\.$/,
      ],
      [adviceOn({ capability: "x" }, ["a", "b"]), /the capability x: enable a or b, which does\.$/],
      [adviceOn({ capability: "x" }, []), /the capability x, and no module of the catalog says/],
      [adviceOn({ crd }, ["a"]), /brings the kind Store of acme\.test\/v1: enable a, which does\.$/],
    ] as const;
    for (const [advice, expected] of advices) {
      assert.match(advice, expected);
      assert.equal(isAdvice(`It waits. ${advice}`), true);
    }
    assert.equal(isAdvice("It waits."), false);
  });
  test("is nothing about a module that is left to its user", () => {
    const left = { name: "a", manifest: undefined, isLeft: true, requires: [], provides: [] };
    const { requires, unprovided } = dependenciesAmong([left]);
    const template = { requires: [{ module: "a" }] };
    assert.deepEqual([requires(template), unprovided(template, () => true)], [[], []]);
  });
  test("comes back from its annotations; what cannot be read is none", () => {
    const written = [{ module: "a", of: ["rt-a"], range: "^1.0.0" }, { crd }];
    const annotations = dependencyAnnotations(written, ["x"]);
    const kept = { metadata: { annotations } };
    assert.deepEqual([keptRequirements(kept), keptCapabilities(kept)], [written, ["x"]]);
    const broken = {
      metadata: { annotations: { "reveille.dev/requires": "{", "reveille.dev/provides": "3" } },
    };
    assert.deepEqual([keptRequirements(broken), keptCapabilities(broken)], [[], []]);
    assert.deepEqual(dependencyAnnotations([], []), {});
  });
});

describe("a module does for a requirement", () => {
  const provider = (
    state: string,
    version = "1.2.0",
    deletionTimestamp?: string,
    applied: string | undefined = "sha256:2",
  ) => ({
    metadata: { deletionTimestamp, annotations: { [ANNOTATIONS.syncedArtifact]: applied } },
    spec: { version, install: { source: { ref: "sha256:2" } } },
    status: { state },
  });
  test.each([
    ["ready", undefined, provider("Ready"), undefined],
    ["not ready", undefined, provider("Processing"), /not ready/],
    ["absent", undefined, undefined, /not installed/],
    ["being removed", undefined, provider("Ready", "1.2.0", "2026-01-01T00:00:00Z"), /being removed/],
    ["in the range", ">=1.0.0 <2.0.0", provider("Ready"), undefined],
    [
      "in the range, and still to be brought there",
      ">=1.0.0",
      provider("Ready", "1.2.0", undefined, "sha256:1"),
      /is on its way to 1\.2\.0/,
    ],
    ["beyond the range", "^1.3.0", provider("Ready"), /is at 1\.2\.0/],
    [
      "of a range that is none",
      "latest",
      provider("Ready"),
      /is at 1\.2\.0: "latest" is no range of versions/,
    ],
  ] as const)("%s", (_, range, given, expected) => {
    const fault = providerFault({ module: "a", ...(range !== undefined && { range }) }, given);
    if (expected === undefined) assert.equal(fault, undefined);
    else assert.match(fault ?? "", expected);
  });
});
