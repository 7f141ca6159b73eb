import assert from "node:assert/strict";
import { test } from "vitest";
import { LABELS } from "../../kinds/index.ts";
import { manifestName } from "../manifest/index.ts";
import { namesakesAmong } from "./namesakes.ts";
import { manifestOf } from "./test-pass.ts";

const modulesOf = (kyma: string) =>
  ["alpha", "beta"].map((name) => ({ name, manifest: manifestName(kyma, `acme.com/mods/${name}`, name) }));
const LONG = "k".repeat(63);

test("modules of a Kyma with a name of usual length have Manifests of their own", () =>
  assert.deepEqual([...namesakesAmong(modulesOf("rt-1"), [])], []));

test("of two modules with one name for their Manifests the first has it", () => {
  const [[module, why] = [], ...others] = namesakesAmong(modulesOf(LONG), []);
  assert.deepEqual([module, others], ["beta", []]);
  assert.match(why ?? "", /^Its Manifest would be called k{62}, as that of alpha: .* Disable alpha, or /);
});

test("of two modules with one name for their Manifests the one that is installed keeps it", () => {
  const installed = manifestOf("1.0.0", {
    metadata: { name: LONG.slice(1), labels: { [LABELS.moduleName]: "beta" } } as never,
  });
  assert.deepEqual([...namesakesAmong(modulesOf(LONG), [installed]).keys()], ["alpha"]);
});

test("modules without a Manifest have no namesakes", () => {
  const left = modulesOf(LONG).map(({ name }) => ({ name, manifest: undefined }));
  assert.deepEqual([...namesakesAmong(left, [])], []);
});
