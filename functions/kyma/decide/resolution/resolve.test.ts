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
      const spec = { descriptor: {}, requiresDowntime: row.requiresDowntime ?? false };
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
const visible = (template: object, kyma: object): Row => ({
  title: `${JSON.stringify(template)} for ${JSON.stringify(kyma)}`,
  templates: { "1.4.2": { ...template } },
  kyma: { labels: { ...kyma } },
  verdict: "",
});
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
    { ...visible({}, {}), verdict: "install 1.4.2 regular" },
    { ...visible(beta, {}), verdict: "withdraw NotVisible" },
    { ...visible(beta, beta), verdict: "install 1.4.2 regular" },
    { ...visible(beta, internal), verdict: "withdraw NotVisible" },
    { ...visible(internal, {}), verdict: "withdraw NotVisible" },
    { ...visible(internal, internal), verdict: "install 1.4.2 regular" },
    { ...visible({ ...beta, ...internal }, beta), verdict: "withdraw NotVisible" },
    { ...visible({ ...beta, ...internal }, internal), verdict: "withdraw NotVisible" },
    { ...visible({ ...beta, ...internal }, { ...beta, ...internal }), verdict: "install 1.4.2 regular" },
    { ...visible({ [LABELS.beta]: "TRUE" }, { [LABELS.beta]: "yes" }), verdict: "withdraw NotVisible" },
    { ...visible({ [LABELS.beta]: "false" }, {}), verdict: "install 1.4.2 regular" },
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
    downtime("closed", "keep unchanged MaintenanceWindowClosed", { maintenance: CLOSED }),
    downtime("open", "install 1.4.2 regular", { maintenance: OPEN }),
    downtime("none", "keep Error NoMaintenanceWindow", { maintenance: NONE }),
    downtime("closed, first installation", "install 1.4.2 regular", {
      maintenance: CLOSED,
      installed: undefined,
    }),
    downtime("closed, the same version", "install 1.4.2 regular", {
      maintenance: CLOSED,
      installed: "1.4.2",
    }),
    downtime("none, the same version", "install 1.4.2 regular", { installed: "1.4.2" }),
    downtime(
      "closed, skipped",
      "install 1.4.2 regular",
      { maintenance: CLOSED },
      { kyma: { skipMaintenanceWindows: true } },
    ),
    downtime("none, skipped", "install 1.4.2 regular", {}, { kyma: { skipMaintenanceWindows: true } }),
    downtime(
      "closed, without downtime",
      "install 1.4.2 regular",
      { maintenance: CLOSED },
      { requiresDowntime: false },
    ),
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
