import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "vitest";
import {
  classOf,
  compareVersions,
  dashedVersion,
  dottedText,
  dottedVersion,
  highest,
  type ReleaseName,
  releaseOfClass,
  releaseOfTag,
  sameRelease,
  sameStack,
  stemOf,
  tagOf,
} from "./index.ts";

describe("a version", () => {
  for (const text of ["v1", "v0", "v10", "v0-sha.hipstsw", "v1-alpha.1", "v1-beta_2.00"])
    test(`${text} is one`, () => assert.equal(dottedText(dottedVersion(text) ?? none()), text));
  for (const text of [
    ...["v1-alpha", "v1-alpha-1.0", "v1.0-alpha.1", "v1-alpha.", "v1-.1", "v", "1", "v1.0", "", "v1 ", " v1"],
    ...["v-1", "v1-alpha.1.2", "v1-al-pha.1", "V1", "v1\n", "v1-alpha-1", `v${"1".repeat(300)}`],
  ])
    test(`${JSON.stringify(text)} is none`, () => assert.equal(dottedVersion(text), undefined));
  test("in a tag has a dash for its dot", () => {
    assert.deepEqual(dashedVersion("v0-sha-hipstsw"), dottedVersion("v0-sha.hipstsw"));
    assert.equal(dashedVersion("v0-sha.hipstsw"), undefined);
  });
  test("with zeros in front is the same", () => assert.deepEqual(dottedVersion("v007"), dottedVersion("v7")));
});
const none = (): never => assert.fail("it is a version");

describe("the name of a release", () => {
  for (const [tag, parts] of [
    ["docker-ferrol-1-27-v1", ["docker", "ferrol", "1.27", "v1"]],
    ["docker-ferrol-1-27-v0-sha-hipstsw", ["docker", "ferrol", "1.27", "v0-sha.hipstsw"]],
    ["openstack-scs2-1-31-v12", ["openstack", "scs2", "1.31", "v12"]],
  ] as const)
    test(`${tag} has its parts`, () => {
      const { provider, name, kubernetes, version } = releaseOfTag(tag) ?? none();
      assert.deepEqual([provider, name, kubernetes, dottedText(version)], parts);
    });
  for (const tag of [
    ...["", "v1", "docker-1-27-v1", "docker-ferrol-27-v1", "docker-ferrol-1-27", "docker-ferrol-1-27-v1-sha"],
    ...["docker-ferrol-1-27-v1-sha-a-b", "-ferrol-1-27-v1", "docker--1-27-v1", "docker-ferrol-one-27-v1"],
    ...["docker-ferrol-1-27-v0-sha.hipstsw", "docker-ferrol-1-27-1", "cluster-stack-operator-v0.1.0"],
  ])
    test(`${JSON.stringify(tag)} is none`, () => assert.equal(releaseOfTag(tag), undefined));
  test("of a class has a dot, and is the same release", () => {
    const ofClass = releaseOfClass("docker-ferrol-1-27-v0-sha.hipstsw") ?? none();
    const ofTag = releaseOfTag("docker-ferrol-1-27-v0-sha-hipstsw") ?? none();
    assert.ok(sameRelease(ofClass, ofTag) && sameStack(ofClass, ofTag));
    assert.equal(stemOf(ofTag), "docker-ferrol-1-27");
    assert.equal(releaseOfClass("quick-start"), undefined);
  });
});

const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record<T>(model, { noNullPrototype: true });
const word = fc.stringMatching(/^[A-Za-z0-9_]{1,8}$/);
const part = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const stable = record({ major: fc.nat().map(String), custom: fc.constant(undefined) });
const custom = record({
  major: fc.nat(2).map(String),
  custom: record({
    label: fc.constantFrom("sha", "beta"),
    patch: fc.oneof(word, fc.nat(30).map(String)),
  }),
});
const release: fc.Arbitrary<ReleaseName> = record({
  provider: part,
  name: part,
  kubernetes: fc.tuple(fc.nat(9), fc.nat(40)).map(([major, minor]) => `${major}.${minor}`),
  version: fc.oneof(
    stable,
    record({ major: fc.nat().map(String), custom: record({ label: word, patch: word }) }),
  ),
});

test("a release is read as it was written, from tag and class", () =>
  fc.assert(
    fc.property(release, (it) => {
      assert.deepEqual(releaseOfTag(tagOf(it)), it);
      assert.deepEqual(releaseOfClass(classOf(it)), it);
    }),
  ));

describe("the order of versions", () => {
  const order = (one: string, other: string, times: readonly [string?, string?] = []) =>
    compareVersions(
      { version: dottedVersion(one) ?? none(), publishedAt: times[0] },
      { version: dottedVersion(other) ?? none(), publishedAt: times[1] },
    );
  for (const [older, newer] of [
    ["v1", "v2"],
    ["v9", "v10"],
    ["v999999999999999999998", "v999999999999999999999"],
    ["v1-beta.9", "v1-beta.10"],
    ["v1-beta.10", "v2-beta.1"],
    ["v0-sha.zzzz", "v1-sha.aaaa"],
  ] as const)
    test(`${older} comes before ${newer}`, () => {
      assert.ok((order(older, newer) ?? 0) < 0);
      assert.ok((order(newer, older) ?? 0) > 0);
    });
  test("of hashes is that of their publication, and unknown without one", () => {
    const [early, late] = ["2024-01-01T00:00:00Z", "2024-01-01T01:00:00+00:00"] as const;
    assert.ok((order("v0-sha.b", "v0-sha.a", [early, late]) ?? 0) < 0);
    assert.equal(order("v0-sha.b", "v0-sha.a", [early]), undefined);
    assert.equal(order("v0-sha.b", "v0-sha.b"), 0);
  });
  test("of different labels is unknown", () => assert.equal(order("v1-alpha.1", "v1-beta.1"), undefined));
  test("is one: it reverses, and it chains", () => {
    const dated = record({
      version: fc.oneof(stable, custom),
      publishedAt: fc.option(
        fc.nat(5).map((hour) => `2024-01-01T0${hour}:00:00Z`),
        { nil: undefined },
      ),
    });
    fc.assert(
      fc.property(dated, dated, dated, (a, b, c) => {
        const [ab, ba] = [compareVersions(a, b), compareVersions(b, a)];
        assert.equal(Math.sign(ab ?? 7), -Math.sign(ba ?? -7) + 0);
        const isDated = [a, b, c].every(({ publishedAt }) => publishedAt !== undefined);
        const numeric = [a, b, c].every(({ version }) => /^\d*$/.test(version.custom?.patch ?? ""));
        const bc = compareVersions(b, c);
        if ((isDated && numeric) || [a, b, c].every(({ version }) => version.custom === undefined))
          if (ab !== undefined && bc !== undefined && ab < 0 && bc < 0)
            assert.ok((compareVersions(a, c) ?? 1) < 0);
      }),
    );
  });
});

describe("the highest version", () => {
  const dated = (...texts: readonly string[]) =>
    texts.map((text) => {
      const [version = "", publishedAt] = text.split(" ");
      return { version: dottedVersion(version) ?? none(), publishedAt };
    });
  const top = (...texts: readonly string[]) => {
    const found = highest(dated(...texts));
    return typeof found === "object" ? dottedText(found.version) : found;
  };
  test("of some is found in any order", () => {
    assert.equal(top("v2", "v10", "v9"), "v10");
    assert.equal(top("v0-sha.b 2024-01-02T00:00:00Z", "v0-sha.a 2024-01-03T00:00:00Z"), "v0-sha.a");
  });
  test("of none is none", () => assert.equal(top(), undefined));
  test("of hashes without a time is none that anybody knows", () => {
    assert.equal(top("v0-sha.b", "v0-sha.a"), "ambiguous");
    assert.equal(top("v0-sha.b", "v0-sha.a 2024-01-03T00:00:00Z"), "ambiguous");
    assert.equal(top("v1-sha.b", "v0-sha.a"), "v1-sha.b");
    assert.equal(top("v1-alpha.1", "v1-beta.1"), "ambiguous");
    const [one, two, three] = [1, 2, 3].map((hour) => `2024-01-01T0${hour}:00:00Z`);
    assert.equal(top(`v0-sha.9 ${three}`, `v0-sha.10 ${one}`, `v0-sha.a ${two}`), "ambiguous");
  });
});
