import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "vitest";
import { type ReleaseName, releaseOfTag, tagOf } from "../names/index.ts";
import { type ExistingRelease, type Wishes, wantedReleases } from "./index.ts";

const name = (tail: string): ReleaseName => releaseOfTag(`docker-ferrol-1-27-${tail}`) ?? assert.fail(tail);
const tail = (release: ReleaseName | string): string =>
  (typeof release === "string" ? release : tagOf(release)).replace("docker-ferrol-1-27-", "");
/** `v1`: there; `v1*`: ready; `v1-`: being deleted. */
const existing = (...marked: readonly string[]): readonly ExistingRelease[] =>
  marked.map((text) => {
    const [, release = "", marks = ""] = /^(.*?\w)([*!]*)$/.exec(text) ?? [];
    const found = name(release);
    return { name: found, version: found.version, ready: marks.includes("*"), deleting: marks.includes("!") };
  });
const asked = (wishes: {
  readonly spec?: readonly string[];
  readonly use?: readonly string[];
  readonly latest?: string;
}): Wishes => ({
  inSpec: (wishes.spec ?? []).map(name),
  inUse: (wishes.use ?? []).map(name),
  latest:
    wishes.latest === "unknown" ? "unknown" : wishes.latest === undefined ? undefined : name(wishes.latest),
});
const decided = (there: readonly ExistingRelease[], wishes: Wishes) => {
  const { keep, create, remove, awaitDeletion } = wantedReleases(there, wishes);
  return [
    [...keep].map(tail).sort().join(" "),
    create.map(tail).sort().join(" "),
    [...remove].map(tail).sort().join(" "),
    ...(awaitDeletion.length > 0 ? [awaitDeletion.map(tail).join(" ")] : []),
  ];
};

describe("of the releases of a stack", () => {
  for (const [title, there, wishes, outcome] of [
    ["S1", ["v1", "v2*", "v3"], { latest: "v3", spec: ["v4"], use: ["v2"] }, ["v2 v3", "v4", "v1"]],
    ["S2", ["v1*", "v2*", "v3*"], { latest: "v3", spec: ["v4"], use: ["v3"] }, ["v3", "v4", "v1 v2"]],
    ["S3", ["v1*", "v2*", "v3*", "v4*"], { latest: "v4", use: ["v3"] }, ["v3 v4", "", "v1 v2"]],
    ["the one in spec comes", [], { spec: ["v1"] }, ["", "v1", ""]],
    ["one in use never comes", [], { use: ["v1"] }, ["", "", ""]],
    ["the latest and the one in spec come once", [], { spec: ["v2"], latest: "v2" }, ["", "v2", ""]],
    ["the newest ready one stays", ["v9*", "v10*", "v11"], {}, ["v10", "", "v11 v9"]],
    [
      "what may be the latest stays while nobody knows",
      ["v1*", "v2*", "v3"],
      { latest: "unknown" },
      ["v2 v3", "", "v1"],
    ],
    ["one that goes is waited for", ["v1!", "v2*"], { spec: ["v1"], latest: "v2" }, ["v2", "", "", "v1"]],
    ["one that goes is no latest", ["v1*", "v2*!"], {}, ["v1", "", ""]],
    [
      "hashes of which nobody knows the newest stay",
      ["v0-sha-a*", "v0-sha-b*", "v0-sha-c"],
      {},
      ["v0-sha-a v0-sha-b", "", "v0-sha-c"],
    ],
    [
      "one in use stays, whatever is newer",
      ["v0-sha-a*"],
      { use: ["v0-sha-a"], latest: "v0-sha-b" },
      ["v0-sha-a", "v0-sha-b", ""],
    ],
  ] as const)
    test(title, () => assert.deepEqual(decided(existing(...there), asked(wishes)), outcome));
});

/** The same rule, written apart for versions that are numbers. */
function model(
  there: ReadonlyMap<number, { readonly ready: boolean; readonly deleting: boolean }>,
  spec: ReadonlySet<number>,
  use: ReadonlySet<number>,
  latest: number | "unknown" | undefined,
) {
  let bestReady = -1;
  let best = -1;
  for (const [version, { ready, deleting }] of there) {
    if (deleting) continue;
    if (version > best) best = version;
    if (ready && version > bestReady) bestReady = version;
  }
  const fates: [number, string][] = [];
  for (let version = 0; version < 12; version += 1) {
    const found = there.get(version);
    const isWanted = spec.has(version) || latest === version;
    if (found === undefined) {
      if (isWanted) fates.push([version, "create"]);
    } else if (found.deleting) {
      if (isWanted) fates.push([version, "wait"]);
    } else if (isWanted || use.has(version) || version === bestReady) fates.push([version, "keep"]);
    else if (latest === "unknown" && version === best) fates.push([version, "keep"]);
    else fates.push([version, "remove"]);
  }
  return fates;
}

test("the decision is that of a model, for any releases and wishes", () => {
  const version = fc.nat(11);
  const some = fc.uniqueArray(version);
  const state = fc.record({ ready: fc.boolean(), deleting: fc.boolean() });
  const found = fc.uniqueArray(fc.tuple(version, state), { selector: ([of]) => of });
  const latest = fc.oneof(version, fc.constant("unknown" as const), fc.constant(undefined));
  fc.assert(
    fc.property(found, some, some, latest, (there, spec, use, offered) => {
      const { keep, create, remove, awaitDeletion } = wantedReleases(
        there.map(([of, marks]) => ({ name: name(`v${of}`), version: name(`v${of}`).version, ...marks })),
        {
          inSpec: spec.map((of) => name(`v${of}`)),
          inUse: use.map((of) => name(`v${of}`)),
          latest: typeof offered === "number" ? name(`v${offered}`) : offered,
        },
      );
      const number = (of: ReleaseName | string): number => Number(tail(of).slice(1));
      const fates = [
        ...[...keep].map((of) => [number(of), "keep"] as const),
        ...create.map((of) => [number(of), "create"] as const),
        ...[...remove].map((of) => [number(of), "remove"] as const),
        ...awaitDeletion.map((of) => [number(of), "wait"] as const),
      ].sort(([one], [other]) => one - other);
      assert.deepEqual(fates, model(new Map(there), new Set(spec), new Set(use), offered));
    }),
    { numRuns: 500 },
  );
});
