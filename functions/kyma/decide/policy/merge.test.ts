import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { KymaModule, KymaPolicySpec, KymaSpec } from "../../kinds/index.ts";
import { type Effective, merge, rulesFor, sentenceOf } from "./index.ts";

type Some<T> = Partial<T>;
/** `name`, `name@channel` or `name=version`, in each case with `!` for Ignore and `-` for one that is not managed. */
function module(written: string): KymaModule {
  const [, name = "", channel, version, marks = ""] =
    /^([a-z-]*[a-z]|)(?:@(\w+))?(?:=([\w.]+))?([!-]*)$/.exec(written) ?? [];
  return {
    name,
    ...(channel !== undefined && { channel }),
    ...(version !== undefined && { version }),
    customResourcePolicy: marks.includes("!") ? "Ignore" : "CreateAndDelete",
    managed: !marks.includes("-"),
  };
}
const spec = (channel: string, ...modules: readonly string[]): KymaSpec => ({
  channel,
  modules: modules.map(module),
});
const writtenModule = ({ name, channel, version, customResourcePolicy, managed }: KymaModule): string =>
  `${name}${channel === undefined ? "" : `@${channel}`}${version === undefined ? "" : `=${version}`}${customResourcePolicy === "Ignore" ? "!" : ""}${managed ? "" : "-"}`;
const written = (it: Effective): string => [it.channel, ...it.modules.map(writtenModule)].join(" ");

interface Row {
  readonly title: string;
  readonly defaults?: KymaSpec;
  readonly user?: KymaSpec | undefined;
  readonly accepted?: KymaSpec;
  readonly policies?: Readonly<Record<string, Some<KymaPolicySpec>>>;
  readonly expected: string;
  /** The fields that policies decide, as `policy reason module.field`. */
  readonly overrides?: readonly string[];
  /** The places whose values do not count. */
  readonly rejected?: readonly string[];
}
const effectiveOf = (row: Row): Effective =>
  merge({
    defaults: row.defaults ?? spec("regular", "alpha"),
    user: "user" in row ? row.user : spec("regular", "alpha"),
    accepted: row.accepted,
    rules: rulesFor(
      { team: "a" },
      Object.entries(row.policies ?? {}).map(([name, rules]) => ({ name, rules: { rank: 0, ...rules } })),
    ),
  });

const mesh = (more: object = {}) => ({ enforce: [{ module: "mesh", ...more }] });
const TABLES: Readonly<Record<string, readonly Row[]>> = {
  "defaults and the user": [
    { title: "a user who never said anything", user: undefined, expected: "regular alpha" },
    {
      title: "modules to begin with",
      user: undefined,
      policies: { p: { defaults: [{ module: "beta", channel: "fast", customResourcePolicy: "Ignore" }] } },
      expected: "regular alpha beta@fast!",
    },
    {
      title: "modules to begin with that the control plane lists otherwise",
      user: undefined,
      policies: {
        p: { defaults: [{ module: "alpha", channel: "fast", customResourcePolicy: "CreateAndDelete" }] },
      },
      expected: "regular alpha",
    },
    {
      title: "a user who has chosen",
      user: spec("fast", "beta@regular!"),
      policies: { p: { defaults: [{ module: "gamma", customResourcePolicy: "CreateAndDelete" }] } },
      expected: "fast beta@regular!",
    },
    { title: "a user who wants none", user: spec("regular"), expected: "regular" },
    {
      title: "a user whose spec was deleted",
      user: undefined,
      accepted: spec("fast", "beta"),
      expected: "fast beta",
    },
  ],
  "enforced modules": [
    {
      title: "added",
      policies: { p: mesh() },
      expected: "regular alpha mesh",
      overrides: ["p Enforced mesh.module"],
    },
    {
      title: "listed already",
      user: spec("regular", "mesh"),
      policies: { p: mesh() },
      expected: "regular mesh",
    },
    {
      title: "on another channel",
      user: spec("regular", "mesh@fast"),
      policies: { p: mesh({ channel: "regular" }) },
      expected: "regular mesh@regular",
      overrides: ["p Enforced mesh.channel"],
    },
    {
      title: "on the Kyma's channel, which is another",
      user: spec("fast", "mesh"),
      policies: { p: mesh({ channel: "regular" }) },
      expected: "fast mesh@regular",
      overrides: ["p Enforced mesh.channel"],
    },
    {
      title: "on the Kyma's channel, which is the same",
      user: spec("regular", "mesh"),
      policies: { p: mesh({ channel: "regular" }) },
      expected: "regular mesh@regular",
    },
    {
      title: "in a version",
      user: spec("regular", "mesh@fast"),
      policies: { p: mesh({ version: "1.0.0" }) },
      expected: "regular mesh=1.0.0",
      overrides: ["p Enforced mesh.channel", "p Enforced mesh.version"],
    },
    {
      title: "with everything",
      user: spec("regular", "mesh=1.0.0!-"),
      policies: { p: mesh({ channel: "fast", customResourcePolicy: "CreateAndDelete", managed: true }) },
      expected: "regular mesh@fast",
      overrides: ["channel", "version", "customResourcePolicy", "managed"].map(
        (field) => `p Enforced mesh.${field}`,
      ),
    },
    {
      title: "by two policies: the higher rank",
      policies: { a: mesh({ channel: "fast" }), b: { ...mesh({ channel: "rapid" }), rank: 1 } },
      expected: "regular alpha mesh@rapid",
      overrides: ["b Enforced mesh.module"],
    },
    {
      title: "for others",
      policies: { p: { ...mesh(), selector: { matchLabels: { team: "b" } } } },
      expected: "regular alpha",
    },
    {
      title: "for selected ones",
      policies: { p: { ...mesh(), selector: { matchLabels: { team: "a" } } } },
      expected: "regular alpha mesh",
      overrides: ["p Enforced mesh.module"],
    },
  ],
  "denied modules": [
    {
      title: "a wish",
      policies: { p: { deny: ["alpha"] } },
      expected: "regular",
      overrides: ["p Denied alpha.module"],
    },
    { title: "one that nobody wants", policies: { p: { deny: ["beta"] } }, expected: "regular alpha" },
    {
      title: "one that was wished and accepted",
      accepted: spec("regular", "alpha"),
      expected: "regular alpha",
    },
    {
      title: "one that a lower rank enforces",
      policies: { a: mesh(), b: { deny: ["mesh"], rank: 1 } },
      expected: "regular alpha",
    },
    {
      title: "one that a higher rank enforces",
      policies: { a: { deny: ["mesh"] }, b: { ...mesh(), rank: 1 } },
      expected: "regular alpha",
    },
    {
      title: "one that the same rank enforces",
      policies: { a: { deny: ["mesh"] }, b: mesh() },
      expected: "regular alpha mesh",
      overrides: ["b Enforced mesh.module"],
    },
    {
      title: "one to begin with",
      user: undefined,
      policies: {
        p: { deny: ["beta"], defaults: [{ module: "beta", customResourcePolicy: "CreateAndDelete" }] },
      },
      expected: "regular alpha",
      overrides: ["p Denied beta.module"],
    },
  ],
  "allowed channels": [
    {
      title: "one of them",
      user: spec("fast", "alpha"),
      policies: { p: { allowChannels: ["fast"] } },
      expected: "fast alpha",
    },
    {
      title: "the Kyma's is none of them",
      user: spec("fast", "alpha"),
      policies: { p: { allowChannels: ["rapid", "regular"] } },
      expected: "regular alpha",
      overrides: ["p ChannelNotAllowed .channel"],
    },
    {
      title: "neither is the usual one",
      user: spec("fast", "alpha"),
      policies: { p: { allowChannels: ["rapid"] } },
      expected: "rapid alpha",
      overrides: ["p ChannelNotAllowed .channel"],
    },
    {
      title: "a module's is none of them",
      user: spec("fast", "alpha@dev"),
      policies: { p: { allowChannels: ["fast"] } },
      expected: "fast alpha@fast",
      overrides: ["p ChannelNotAllowed alpha.channel"],
    },
    {
      title: "those that all policies allow",
      user: spec("rapid", "alpha"),
      policies: { a: { allowChannels: ["rapid", "fast"] }, b: { allowChannels: ["fast"] } },
      expected: "fast alpha",
      overrides: ["b ChannelNotAllowed .channel"],
    },
    {
      title: "those of the higher rank, where another policy would leave none",
      user: spec("rapid", "alpha"),
      policies: { a: { allowChannels: ["fast"] }, b: { allowChannels: ["slow"], rank: 1 } },
      expected: "slow alpha",
      overrides: ["b ChannelNotAllowed .channel"],
    },
    {
      title: "an enforced one is none of them",
      policies: { p: { ...mesh({ channel: "dev" }), allowChannels: ["regular"] } },
      expected: "regular alpha mesh@dev",
      overrides: ["p Enforced mesh.module"],
    },
  ],
  "wishes that are wrong": [
    {
      title: "the channel none, at first",
      user: spec("none", "alpha"),
      expected: "regular alpha",
      rejected: ["channel"],
    },
    {
      title: "the channel none, later",
      user: spec("none", "alpha"),
      accepted: spec("fast", "alpha"),
      expected: "fast alpha",
      rejected: ["channel"],
    },
    {
      title: "a module's channel, at first",
      user: spec("regular", "alpha", "beta@NONE"),
      expected: "regular alpha",
      rejected: ["modules[beta].channel"],
    },
    {
      title: "a module's channel, later",
      user: spec("regular", "alpha", "beta@none"),
      accepted: spec("regular", "alpha", "beta@fast!"),
      expected: "regular alpha beta@fast!",
      rejected: ["modules[beta].channel"],
    },
    {
      title: "a channel and a version",
      user: spec("regular", "beta@fast=1.0.0", "alpha"),
      accepted: spec("regular", "beta=1.0.0"),
      expected: "regular beta=1.0.0 alpha",
      rejected: ["modules[beta].version"],
    },
    {
      title: "a module without a name",
      user: spec("regular", ""),
      expected: "regular",
      rejected: ["modules[].name"],
    },
    {
      title: "a module twice",
      user: spec("regular", "alpha@fast", "alpha"),
      expected: "regular alpha@fast",
      rejected: ["modules[alpha]"],
    },
    {
      title: "one module wrong, another changed",
      user: spec("fast", "alpha@none", "beta@rapid"),
      accepted: spec("regular", "alpha@dev", "beta"),
      expected: "fast alpha@dev beta@rapid",
      rejected: ["modules[alpha].channel"],
    },
    {
      title: "a module that was wrong and is taken out",
      user: spec("regular"),
      accepted: spec("regular", "alpha@dev"),
      expected: "regular",
    },
  ],
  "too many modules": [
    {
      title: "the last ones do not count",
      user: spec("regular", "alpha", "beta", "gamma"),
      policies: { p: { maxModules: 2 } },
      expected: "regular alpha beta",
      rejected: ["modules[gamma]"],
    },
    {
      title: "the ones from before do",
      user: spec("regular", "gamma", "alpha", "beta"),
      accepted: spec("regular", "alpha", "beta"),
      policies: { p: { maxModules: 2 } },
      expected: "regular alpha beta",
      rejected: ["modules[gamma]"],
    },
    {
      title: "a lower number takes nothing away",
      user: spec("regular", "alpha", "beta"),
      accepted: spec("regular", "alpha", "beta"),
      policies: { p: { maxModules: 1 } },
      expected: "regular alpha beta",
    },
    {
      title: "one in exchange for another",
      user: spec("regular", "gamma", "alpha"),
      accepted: spec("regular", "alpha", "beta"),
      policies: { p: { maxModules: 2 } },
      expected: "regular gamma alpha",
    },
    {
      title: "enforced and denied ones are not counted",
      user: spec("regular", "mesh", "beta", "alpha"),
      policies: { p: { ...mesh(), deny: ["beta"], maxModules: 1 } },
      expected: "regular mesh alpha",
      overrides: ["p Denied beta.module"],
    },
    {
      title: "the lowest of two numbers",
      user: spec("regular", "alpha", "beta", "gamma"),
      policies: { a: { maxModules: 3 }, b: { maxModules: 1 } },
      expected: "regular alpha",
      rejected: ["modules[beta]", "modules[gamma]"],
    },
  ],
  "an enforced module that is taken out": [
    {
      title: "stays as it was",
      user: spec("regular", "alpha"),
      accepted: spec("regular", "alpha", "mesh@fast!"),
      policies: { p: mesh() },
      expected: "regular alpha mesh@fast!",
      rejected: ["modules[mesh]"],
    },
    {
      title: "goes once nobody enforces it",
      user: spec("regular", "alpha"),
      accepted: spec("regular", "alpha", "mesh@fast!"),
      expected: "regular alpha",
    },
  ],
};

describe("the modules of a Kyma", () => {
  for (const [table, rows] of Object.entries(TABLES))
    describe(table, () => {
      for (const row of rows)
        test(`${row.title}: ${row.expected}`, () => {
          const it = effectiveOf(row);
          assert.equal(written(it), row.expected);
          assert.deepEqual(
            it.overrides.map(
              ({ policy, reason, module, field }) => `${policy} ${reason} ${module ?? ""}.${field}`,
            ),
            row.overrides ?? [],
          );
          assert.deepEqual(
            it.rejections.map(({ path }) => path),
            row.rejected ?? [],
          );
          assert.ok(it.rejections.every(({ message }) => message !== ""));
        });
    });

  // The next pass reads the accepted values again, and decides the same.
  for (const row of Object.values(TABLES).flat())
    test(`once more: ${row.title}: ${row.expected}`, () => {
      const first = effectiveOf(row);
      if (first.accepted === undefined) return;
      const second = effectiveOf({ ...row, accepted: first.accepted });
      assert.deepEqual(second, first);
    });

  test("a denied module is kept in mind: its user's wish counts again once nobody denies it", () => {
    const denied = effectiveOf({ title: "", policies: { p: { deny: ["alpha"] } }, expected: "" });
    assert.deepEqual(denied.denied, [module("alpha")]);
    assert.equal(written(merge({ ...sources, accepted: denied.accepted })), "regular alpha");
  });
  test("only a policy permits to go back to an older version", () => {
    const permitted = effectiveOf({
      title: "",
      policies: { p: mesh({ allowDowngrade: true }) },
      expected: "",
    });
    assert.deepEqual(
      permitted.modules.map(({ name, allowDowngrade }) => [name, allowDowngrade]),
      [
        ["alpha", false],
        ["mesh", true],
      ],
    );
  });
  test("maintenance windows are skipped where the user says so, else as at the beginning", () => {
    const skips = (defaults: boolean | undefined, user: boolean | undefined): boolean => {
      const of = (skipMaintenanceWindows: boolean | undefined): KymaSpec => ({
        ...spec("regular"),
        skipMaintenanceWindows,
      });
      return merge({ ...sources, defaults: of(defaults), user: of(user) }).skipMaintenanceWindows;
    };
    assert.deepEqual(
      [skips(undefined, undefined), skips(false, true), skips(true, false), skips(true, undefined)],
      [false, true, false, true],
    );
  });
  test("each override is told with its policy and both values", () => {
    const it = effectiveOf({
      title: "",
      user: spec("regular", "mesh@fast", "alpha"),
      policies: { p: { ...mesh({ channel: "regular" }), deny: ["alpha"] } },
      expected: "",
    });
    assert.deepEqual(it.overrides.map(sentenceOf), [
      "The policy p denies alpha.",
      "The policy p decides channel of mesh: regular, not fast.",
    ]);
  });
});

const sources = {
  defaults: spec("regular"),
  user: spec("regular", "alpha"),
  accepted: undefined,
  rules: rulesFor({}, []),
};
