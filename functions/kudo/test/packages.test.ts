import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, it } from "vitest";
import { packageObjects, readPackage, verifyPackage } from "../decide/package/index.ts";
import { Instance, Operator, OperatorVersion } from "../kinds/index.ts";
import { storedPackages } from "../ports/packages/adapters/index.ts";
import { folder } from "./conformance.ts";
import { played } from "./packages-suite.ts";

/** The folders of packages in KUDO's own repositories. */
const found =
  folder === undefined
    ? []
    : readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((path) => basename(path) === "operator.yaml" && !path.includes("templates"))
        .map((path) => dirname(path))
        .sort();

/** The errors of those that upstream's verifier refuses. */
const ERRORS: Readonly<Record<string, readonly string[]>> = {
  "integration/upgrade-with-dependencies/operator-2.0": [
    'plan "deploy" used in parameter "deploy" is not defined',
    "an operator is required to have 'deploy' plan",
  ],
};

describe.skipIf(folder === undefined)("a package of KUDO's own repositories", () => {
  it("is among many", () => assert(found.length > 20, String(found.length)));

  it("is played, whichever it is", () => assert.deepEqual([...new Set(played)].sort(), found));

  it.each(found)("%s is read, verified and made into objects that the kinds accept", async (path) => {
    const source = await storedPackages().open(join(folder ?? "", path));
    const files = readPackage(source.files);
    const { errors } = verifyPackage(files);
    assert.deepEqual(errors, ERRORS[path] ?? []);
    const { operator, operatorVersion, instance } = packageObjects(files);
    for (const [kind, object] of [
      [Operator, operator],
      [OperatorVersion, operatorVersion],
      [Instance, instance],
    ] as const) {
      const { success, error } = kind.fields.safeParse(object);
      assert(success, error?.message);
    }
  });
});
