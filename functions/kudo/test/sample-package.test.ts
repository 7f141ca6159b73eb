import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "vitest";
import { dryRunOf } from "../commands/dry-run.ts";
import { instanceObject } from "../commands/install.ts";
import { resolvePackage } from "../commands/resolve.ts";
import { readPackage, verifyPackage } from "../decide/package/index.ts";
import { storedPackages } from "../ports/packages/adapters/index.ts";

const folder = join(import.meta.dirname, "../samples/package");
const packages = storedPackages();

describe("the package among the samples", () => {
  it.each([folder, join(folder, "journal")])("%s has neither errors nor warnings", async (place) => {
    const files = readPackage((await packages.open(place)).files);
    assert.deepEqual(verifyPackage(files), { errors: [], warnings: [] });
  });

  it("looks as a form wants it", async () => {
    const files = readPackage((await packages.open(folder)).files);
    const { warnings } = verifyPackage(files, {
      checks: new Set(["display", "desc", "type", "groups"]),
    });
    assert.deepEqual(warnings, []);
  });

  it("brings its child, and names it as the cluster will know it", async () => {
    const { objects, children } = await resolvePackage(folder, packages);
    assert.deepEqual(
      children.map(({ operatorVersion }) => operatorVersion.metadata.name),
      ["journal-0.1.0"],
    );
    const task = objects.operatorVersion.spec?.tasks?.find(({ name }) => name === "journal");
    assert.deepEqual(task?.spec, {
      package: "journal",
      operatorVersion: "0.1.0",
      parameterFile: "journal-params.yaml",
    });
  });

  it("is packed with its child", async (t) => {
    const to = await mkdtemp(join(tmpdir(), "sample-package-"));
    t.onTestFinished(() => rm(to, { recursive: true, force: true }));
    await packages.save(to, new Map([["p.tgz", await packages.pack(folder)]]));
    const [packed, plain] = await Promise.all([
      resolvePackage(join(to, "p.tgz"), packages),
      resolvePackage(folder, packages),
    ]);
    assert.deepEqual(packed, plain);
  });

  it("would make what it says, and toggles by its parameter", async () => {
    const { objects } = await resolvePackage(folder, packages);
    const version = objects.operatorVersion;
    const told = (parameters: Readonly<Record<string, string>>) => {
      const instance = instanceObject("lighthouse", version.metadata.name, "beacon", "coast", parameters);
      return dryRunOf({ instance: { ...instance, metadata: { ...instance.metadata, uid: "" } }, version });
    };
    const { plan, objects: touched, notes } = told({});
    assert.equal(plan, "deploy");
    assert.deepEqual(
      touched.map(({ object, change }) => `${change} ${object}`),
      [
        "create ConfigMap beacon-settings",
        "create Deployment beacon",
        "create Service beacon",
        "delete ConfigMap beacon-horn",
      ],
    );
    assert.equal(notes.length, 2);
    assert.equal(told({ HORN: "true" }).objects.at(-1)?.change, "create");
    assert.match(told({ COLOUR: "blue" }).refused ?? "", /COLOUR/);
  });
});
