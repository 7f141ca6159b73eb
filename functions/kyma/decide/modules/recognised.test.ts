import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { parseObject } from "../../../../shared/kube/read.ts";
import { ANNOTATIONS, LABELS, Manifest, ModuleReleaseMeta } from "../../kinds/index.ts";
import { manifestName } from "../manifest/index.ts";
import { recognised } from "./recognised.ts";
import { raw } from "./test-pass.ts";
import { moduleOf } from "./world.ts";

const component = (module: string): string => `acme.com/mods/${module}`;
const releases = ["greeter", "ledger"].map((module) =>
  parseObject(
    ModuleReleaseMeta,
    raw(ModuleReleaseMeta, module, {
      spec: { moduleName: module, ocmComponentName: component(module), channels: [] },
    }),
  ),
);
/** The module that the Manifest of `greeter` is taken for. */
const takenFor = (
  label: string | undefined,
  annotations: Readonly<Record<string, string>>,
  name?: string,
) => {
  const manifest = parseObject(
    Manifest,
    raw(Manifest, name ?? manifestName("rt", component("greeter"), "greeter"), {
      metadata: { labels: label === undefined ? {} : { [LABELS.moduleName]: label }, annotations },
      spec: { remote: true, install: { name: "raw-manifest", source: {} } },
    }),
  );
  const [found] = recognised([manifest], "rt", ["ledger", "greeter"], releases);
  assert.ok(found !== undefined);
  assert.equal(found.metadata.uid, manifest.metadata.uid);
  return moduleOf(found);
};
const known = { [ANNOTATIONS.ocmComponentName]: component("greeter") };

describe("the module of a Manifest", () => {
  test("is the one of its label", () => assert.equal(takenFor("greeter", known), "greeter"));
  for (const label of [undefined, "", "ledger", "Ledger"])
    test(`is the one that its name is made of, where its label says ${JSON.stringify(label)}`, () => {
      assert.equal(takenFor(label, known), "greeter");
      assert.equal(takenFor(label, {}), "greeter", "by the catalog's component");
    });
  test("is the one of its label where its name is made of none that is known", () => {
    assert.equal(takenFor("greeter", {}, "by-hand"), "greeter");
    assert.equal(takenFor("other", known, "by-hand"), "other");
  });
});
