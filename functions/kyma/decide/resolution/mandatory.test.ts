import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { LABELS } from "../../kinds/index.ts";
import { type Catalog, mandatoryModules, type Release, type Template } from "./index.ts";

const release = (moduleName: string, spec: object, deletionTimestamp?: string): Release => ({
  metadata: { name: moduleName, ...(deletionTimestamp !== undefined && { deletionTimestamp }) },
  spec: {
    moduleName,
    beta: false,
    internal: false,
    ocmComponentName: `acme.com/mods/${moduleName}`,
    ...spec,
  },
});
const mandatory = { mandatory: { version: "1.0.0" } };
const template: Template = { metadata: { name: "warden-1.0.0", generation: 1, labels: {} } };
const catalog: Pick<Catalog, "template"> = {
  template: (name) => (name === "warden-1.0.0" ? template : undefined),
};
const kyma = (labels: Readonly<Record<string, string>> = {}, deletionTimestamp?: string) => ({
  metadata: { labels, ...(deletionTimestamp !== undefined && { deletionTimestamp }) },
});
const NOW = "2026-02-03T10:00:00Z";
const found = (releases: readonly Release[], of = kyma()) =>
  mandatoryModules(of, releases, catalog)?.map(
    ({ module, version, template: found }) =>
      `${module} ${version} ${found === undefined ? "lacking" : "found"}`,
  );

const ROWS: readonly (readonly [title: string, releases: readonly Release[], expected: readonly string[]])[] =
  [
    ["nothing in the catalog", [], []],
    [
      "releases in channels alone",
      [release("alpha", { channels: [{ channel: "regular", version: "1.0.0" }] })],
      [],
    ],
    ["one", [release("warden", mandatory)], ["warden 1.0.0 found"]],
    ["one that is being deleted", [release("warden", mandatory, NOW)], []],
    ["one without a template", [release("guard", mandatory)], ["guard 1.0.0 lacking"]],
    [
      "one with another version",
      [release("warden", { mandatory: { version: "1.1.0" } })],
      ["warden 1.1.0 lacking"],
    ],
    [
      "one whose release is named otherwise",
      [{ ...release("warden", mandatory), metadata: { name: "for-all" } }],
      ["warden 1.0.0 found"],
    ],
    [
      "one that two releases name: the one with its name counts",
      [
        { ...release("warden", { mandatory: { version: "1.1.0" } }), metadata: { name: "another" } },
        release("warden", mandatory),
        { ...release("warden", { mandatory: { version: "1.2.0" } }), metadata: { name: "yet-another" } },
      ],
      ["warden 1.0.0 found"],
    ],
    [
      "two",
      [release("warden", mandatory), release("guard", mandatory)],
      ["guard 1.0.0 lacking", "warden 1.0.0 found"],
    ],
  ];

describe("the modules that each cluster gets", () => {
  for (const [title, releases, expected] of ROWS)
    test(title, () => assert.deepEqual(found(releases), expected));

  const releases = [release("warden", mandatory)];
  test("a Kyma that is being deleted is left as it is", () =>
    assert.equal(found(releases, kyma({}, NOW)), undefined));
  test("a Kyma that is skipped is left as it is", () =>
    assert.equal(found(releases, kyma({ [LABELS.skipReconciliation]: "true" })), undefined));
  test("the label must say true", () =>
    assert.deepEqual(found(releases, kyma({ [LABELS.skipReconciliation]: "no" })), ["warden 1.0.0 found"]));
});
