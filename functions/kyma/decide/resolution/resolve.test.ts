import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { LABELS } from "../../kinds/index.ts";
import type { MaintenanceState } from "../windows/index.ts";
import { type Question, type Resolution, resolve, templateName } from "./index.ts";

const OPEN: MaintenanceState = {
  state: "open",
  begin: "2026-02-07T22:00:00.000Z",
  end: "2026-02-08T02:00:00.000Z",
};
const CLOSED: MaintenanceState = { ...OPEN, state: "closed", opensAt: "2026-02-07T22:00:00.001Z" };
const NONE: MaintenanceState = { state: "none", why: "there is no maintenance policy" };

interface Row {
  readonly title: string;
  readonly wish?: Partial<Question["wish"]>;
  readonly kyma?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly channel?: string | undefined;
    readonly skipMaintenanceWindows?: boolean;
  };
  /** The channels of the release; undefined: there is no ModuleReleaseMeta. */
  readonly channels?: Readonly<Record<string, string>> | undefined;
  readonly release?: object;
  /** The versions that templates are there for, each with labels. Without it: for every version of the channels. */
  readonly templates?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly requiresDowntime?: boolean;
  /** More of the templates' specs. */
  readonly template?: object;
  readonly rest?: Partial<Pick<Question, "installed" | "maintenance" | "restrictedModules" | "versions">>;
  /** `install VERSION CHANNEL`, `keep STATE REASON`, `withdraw REASON`. */
  readonly verdict: string;
}

const CHANNELS = { regular: "1.4.2", fast: "1.5.0" };
const questionOf = (row: Row): Question => {
  const channels = "channels" in row ? row.channels : CHANNELS;
  const labelled =
    row.templates ?? Object.fromEntries(Object.values(channels ?? {}).map((version) => [version, {}]));
  const templates = new Map(
    Object.entries(labelled).map(([version, labels]) => {
      const name = templateName("alpha-store", version);
      const spec = { descriptor: {}, requiresDowntime: row.requiresDowntime ?? false, ...row.template };
      return [name, { metadata: { name, generation: 1, labels }, spec }];
    }),
  );
  const spec = {
    moduleName: "alpha-store",
    ocmComponentName: "acme.com/mods/alpha-store",
    beta: false,
    internal: false,
    channels: Object.entries(channels ?? {}).map(([channel, version]) => ({ channel, version })),
    ...row.release,
  };
  return {
    wish: { name: "alpha-store", ...row.wish },
    kyma: {
      metadata: { labels: row.kyma?.labels ?? {} },
      channel: row.kyma !== undefined && "channel" in row.kyma ? row.kyma.channel : "regular",
      skipMaintenanceWindows: row.kyma?.skipMaintenanceWindows ?? false,
    },
    catalog: {
      release: () => (channels === undefined ? undefined : { metadata: { name: "alpha-store" }, spec }),
      template: (name) => templates.get(name),
    },
    installed: undefined,
    maintenance: NONE,
    restrictedModules: [],
    versions: true,
    ...row.rest,
  };
};
const toldOf = (it: Resolution): string =>
  it.verdict === "install"
    ? `install ${it.version} ${it.channel ?? "pinned"}`
    : it.verdict === "keep"
      ? `keep ${it.state ?? "unchanged"} ${it.reason}`
      : `withdraw ${it.reason}`;

const beta = { [LABELS.beta]: "true" };
const internal = { [LABELS.internal]: "True" };
const visible = (template: object, kyma: object, verdict: string): Row => ({
  title: `${JSON.stringify(template)} for ${JSON.stringify(kyma)}`,
  templates: { "1.4.2": { ...template } },
  kyma: { labels: { ...kyma } },
  verdict,
});
const SORTS = { neither: {}, beta, internal, both: { ...beta, ...internal } } as const;
/** By the labels of a template: the Kymas that may have it, by theirs. */
const SEEN_BY: Readonly<Record<keyof typeof SORTS, readonly (keyof typeof SORTS)[]>> = {
  neither: ["neither", "beta", "internal", "both"],
  beta: ["beta", "both"],
  internal: ["internal", "both"],
  both: ["both"],
};
const VISIBILITY = Object.entries(SEEN_BY).flatMap(([template, seen]) =>
  Object.entries(SORTS).map(([kyma, labels]) => ({
    ...visible(
      SORTS[template as keyof typeof SORTS],
      labels,
      seen.some((one) => one === kyma) ? "install 1.4.2 regular" : "withdraw NotVisible",
    ),
    title: `a template that is ${template}, for a Kyma that is ${kyma}`,
  })),
);
const selector = { kymaSelector: { matchLabels: { team: "a" } } };
const restricted = { restrictedModules: ["alpha-store"] };
const step = (installed: string, wanted: string, verdict: string): Row => ({
  title: `${installed || "nothing readable"} to ${wanted}`,
  channels: { regular: wanted },
  rest: { installed },
  verdict: verdict === "install" ? `install ${wanted} regular` : `keep Warning ${verdict}`,
});
const downtime = (title: string, verdict: string, rest: Row["rest"], more: Partial<Row> = {}): Row => ({
  title,
  requiresDowntime: true,
  rest: { installed: "1.4.1", ...rest },
  verdict,
  ...more,
});
const WINDOWS = { open: OPEN, closed: CLOSED, none: NONE } as const;
/** The verdicts on an upgrade that needs a window. All else is installed at once. */
const IN_WINDOW = {
  open: "install 1.4.2 regular",
  closed: "keep unchanged MaintenanceWindowClosed",
  none: "keep Error NoMaintenanceWindow",
} as const;
const yes = (is: boolean, what: string): string => (is ? what : `no ${what}`);
const WINDOW_ROWS: readonly Row[] = [true, false].flatMap((requiresDowntime) =>
  [true, false].flatMap((skipMaintenanceWindows) =>
    [undefined, "1.4.1", "1.4.2"].flatMap((installed) =>
      (["open", "closed", "none"] as const).map((window): Row => {
        const isNeeded = requiresDowntime && !skipMaintenanceWindows && installed === "1.4.1";
        return {
          title: `${yes(requiresDowntime, "downtime")}, ${yes(skipMaintenanceWindows, "skipping")}, ${installed ?? "nothing"} installed, window ${window}`,
          requiresDowntime,
          kyma: { skipMaintenanceWindows },
          rest: { installed, maintenance: WINDOWS[window] },
          verdict: isNeeded ? IN_WINDOW[window] : "install 1.4.2 regular",
        };
      }),
    ),
  ),
);

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  "channels and versions": [
    { title: "the Kyma's channel", verdict: "install 1.4.2 regular" },
    { title: "the module's own channel", wish: { channel: "fast" }, verdict: "install 1.5.0 fast" },
    { title: "no channel anywhere", kyma: { channel: undefined }, verdict: "install 1.4.2 regular" },
    {
      title: "a version in place of a channel",
      wish: { version: "1.3.0" },
      templates: { "1.3.0": {} },
      verdict: "install 1.3.0 pinned",
    },
    { title: "both", wish: { channel: "fast", version: "1.5.0" }, verdict: "keep Error ChannelAndVersion" },
    {
      title: "a version where versions are not permitted",
      wish: { version: "1.4.2" },
      rest: { versions: false },
      verdict: "keep Error VersionNotPermitted",
    },
    {
      title: "a version that a policy enforces where users may name none",
      wish: { version: "1.4.2", isVersionEnforced: true },
      rest: { versions: false },
      verdict: "install 1.4.2 pinned",
    },
    { title: "the channel none", wish: { channel: "none" }, verdict: "keep Error ChannelIsNone" },
    { title: "the channel None of the Kyma", kyma: { channel: "None" }, verdict: "keep Error ChannelIsNone" },
    {
      title: "a channel that the module lacks",
      wish: { channel: "dev" },
      verdict: "keep Error ChannelUnknown",
    },
    { title: "a channel without a version", channels: { regular: "" }, verdict: "keep Error ChannelUnknown" },
    { title: "a version without a template", templates: {}, verdict: "keep Error TemplateMissing" },
    { title: "no release", channels: undefined, verdict: "keep Warning NoRelease" },
    {
      title: "no release, but installed",
      channels: undefined,
      rest: { installed: "1.4.2" },
      verdict: "keep Warning NoRelease",
    },
    {
      title: "no component",
      release: { ocmComponentName: undefined },
      verdict: "keep Error ComponentUnknown",
    },
  ],
  visibility: [
    ...VISIBILITY,
    visible({ [LABELS.beta]: "TRUE" }, { [LABELS.beta]: "yes" }, "withdraw NotVisible"),
    visible({ [LABELS.beta]: "false" }, {}, "install 1.4.2 regular"),
  ],
  restriction: [
    {
      title: "selected",
      release: selector,
      kyma: { labels: { team: "a" } },
      rest: restricted,
      verdict: "install 1.4.2 regular",
    },
    {
      title: "not selected",
      release: selector,
      kyma: { labels: { team: "b" } },
      rest: restricted,
      verdict: "withdraw Restricted",
    },
    { title: "without a selector", rest: restricted, verdict: "withdraw Restricted" },
    {
      title: "with an empty selector",
      release: { kymaSelector: {} },
      rest: restricted,
      verdict: "withdraw Restricted",
    },
    {
      title: "with a selector of no terms",
      release: { kymaSelector: { matchLabels: {}, matchExpressions: [] } },
      rest: restricted,
      verdict: "withdraw Restricted",
    },
    {
      title: "by an expression",
      release: { kymaSelector: { matchExpressions: [{ key: "team", operator: "NotIn", values: ["b"] }] } },
      rest: restricted,
      verdict: "install 1.4.2 regular",
    },
    { title: "without a selector, of a module that nobody restricts", verdict: "install 1.4.2 regular" },
    {
      title: "a selector that fits, of a module that nobody restricts",
      release: selector,
      kyma: { labels: { team: "a" } },
      verdict: "withdraw Restricted",
    },
  ],
  "a mandatory module that the user lists": [
    {
      title: "by the release alone",
      release: { channels: undefined, mandatory: { version: "1.4.2" } },
      verdict: "keep Warning MandatoryModule",
    },
    {
      title: "by the template alone, which no longer counts",
      template: { mandatory: true },
      verdict: "install 1.4.2 regular",
    },
    {
      title: "pinned to the same version",
      wish: { version: "1.4.2" },
      release: { channels: undefined, mandatory: { version: "1.4.2" } },
      verdict: "keep Warning MandatoryModule",
    },
  ],
  "what is installed already": [
    step("1.4.2", "1.4.2", "install"),
    step("1.4.1", "1.4.2", "install"),
    step("1.4.2", "1.10.0", "install"),
    step("1.5.0", "1.4.2", "Downgrade"),
    step("2.0.0", "1.9.9", "Downgrade"),
    step("1.5.0-rc1", "1.5.0", "install"),
    step("1.5.0", "1.5.0-rc1", "install"),
    step("1.5.0-rc1", "1.4.9", "Downgrade"),
    step("", "1.4.2", "VersionUnreadable"),
    step("v1.4.1", "1.4.2", "VersionUnreadable"),
    {
      title: "a downgrade that the control plane permits",
      wish: { allowDowngrade: true },
      rest: { installed: "1.5.0" },
      verdict: "install 1.4.2 regular",
    },
  ],
  "maintenance windows": [
    ...WINDOW_ROWS,
    downtime("open, but a downgrade", "keep Warning Downgrade", { maintenance: OPEN, installed: "1.5.0" }),
  ],
};

describe("the version of a module", () => {
  for (const [table, rows] of Object.entries(TABLES))
    describe(table, () => {
      for (const row of rows)
        test(`${row.title}: ${row.verdict}`, () =>
          assert.equal(toldOf(resolve(questionOf(row))), row.verdict));
    });

  test("an upgrade that waits says when it may begin", () => {
    const resolution = resolve(questionOf(downtime("", "", { maintenance: CLOSED })));
    assert.equal(resolution.verdict === "keep" ? resolution.opensAt : undefined, "2026-02-07T22:00:00.001Z");
  });
  test("a downgrade names both versions", () => {
    const resolution = resolve(questionOf(step("1.5.0", "1.4.2", "Downgrade")));
    assert.match(resolution.verdict === "keep" ? resolution.message : "", /1\.5\.0.*1\.4\.2/);
  });
});
