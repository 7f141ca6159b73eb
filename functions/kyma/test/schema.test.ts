import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { crdObject, installCrd } from "../../../infra/testing/install-crds.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { fieldOf, isRecord, listOf } from "../../../shared/json/fields.ts";
import { crdOf } from "../../../shared/kube/crd.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { apiVersionOf } from "../../../shared/kube/object.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { KymaPolicy, ModuleTemplate } from "../kinds/index.ts";
import { folder, SHARED_KINDS, theirCrd } from "./conformance.ts";

/** The paths at which two schemas differ; descriptions do not count. */
function differences(ours: unknown, theirs: unknown, path: string): readonly string[] {
  if (path.endsWith(".required") && Array.isArray(ours))
    return JSON.stringify([ours].flat().sort()) === JSON.stringify([theirs].flat().sort()) ? [] : [path];
  if (!isRecord(theirs) || !isRecord(ours))
    return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [path];
  return [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].flatMap((name) => {
    if (name === "description") return [];
    if (!(name in theirs)) return [`${path}.${name} (new)`];
    if (!(name in ours)) return [`${path}.${name} (gone)`];
    return differences(ours[name], theirs[name], `${path}.${name}`);
  });
}

const partsOf = (crd: object) => {
  const spec = fieldOf(crd, "spec");
  const version = listOf(fieldOf(spec, "versions"))[0];
  return {
    names: fieldOf(spec, "names"),
    scope: fieldOf(spec, "scope"),
    columns: fieldOf(version, "additionalPrinterColumns"),
    subresources: fieldOf(version, "subresources") ?? {},
    properties: fieldOf(fieldOf(fieldOf(version, "schema"), "openAPIV3Schema"), "properties"),
  };
};
const between = (kind: Kind): readonly string[] =>
  ["spec", "status"]
    .flatMap((part) =>
      differences(
        fieldOf(partsOf(crdOf(kind)).properties, part),
        fieldOf(partsOf(theirCrd(kind)).properties, part),
        `.${part}`,
      ),
    )
    .map((path) => path.replaceAll(".properties.", "."))
    .sort();

const NEW: Readonly<Record<string, readonly string[]>> = {
  // What has a default need not be given.
  Kyma: [".spec.modules.items.required", ".spec.modules.items.version (new)"],
  ModuleTemplate: [".spec.provides (new)", ".spec.requires (new)", ".spec.trustedHandler (new)"],
};

describe("our CRDs are upstream's", { skip: folder === undefined }, () => {
  for (const kind of SHARED_KINDS) {
    test(`${kind.kind} has the same fields`, () => assert.deepEqual(between(kind), NEW[kind.kind] ?? []));
    // A status that upstream's CRD would prune would be written for ever.
    test(`${kind.kind} has no field in its status but theirs`, () =>
      assert.deepEqual(
        between(kind).filter((path) => path.startsWith(".status") && path.endsWith("(new)")),
        [],
      ));
    test(`kubectl shows a ${kind.kind} as before`, () => {
      const { properties: _, ...ours } = partsOf(crdOf(kind));
      const { properties: __, ...theirs } = partsOf(theirCrd(kind));
      assert.deepEqual(ours, theirs);
    });
  }
});

describe("the CRD of a KymaPolicy", () => {
  test("is of today alone: what was stored with an empty version is read still", () => {
    const metadata = { name: "p", namespace: "default", uid: "u", resourceVersion: "1" };
    const spec = { deny: ["a"], enforce: [{ module: "mesh", version: "" }] };
    const stored = { apiVersion: apiVersionOf(KymaPolicy), kind: "KymaPolicy", metadata, spec };
    assert.deepEqual(parseObject(KymaPolicy, stored).spec?.deny, ["a"]);
  });
  const twofold = { module: "mesh", channel: "fast", version: "1.0.0" };
  const REFUSED: Readonly<Record<string, object>> = {
    "a module that is enforced by a channel and a version": { enforce: [twofold] },
    "a module to begin with by a channel and a version": { defaults: [twofold] },
    "a module that is enforced in an empty version": { enforce: [{ module: "mesh", version: "" }] },
    "a module that is enforced twice": { enforce: [{ module: "mesh" }, { module: "mesh" }] },
    "a module that is denied twice": { deny: ["mesh", "mesh"] },
    "a module without a name": { deny: [""] },
    "fewer than no modules": { maxModules: -1 },
  };
  test("refuses what contradicts itself", async (t) => {
    const { client, stop } = await startTestApi({ api: "local", controllers: false });
    t.onTestFinished(stop);
    const resource = resourceOf(KymaPolicy);
    await installCrd(client, crdObject(KymaPolicy), resource);
    for (const [title, spec] of Object.entries(REFUSED)) {
      const metadata = { name: "p", namespace: "default" };
      const object = { apiVersion: apiVersionOf(KymaPolicy), kind: "KymaPolicy", metadata, spec };
      await assert.rejects(
        client.create(resource, object, { fieldManager: "user" }),
        { kind: "invalid" },
        title,
      );
    }
  });
});

describe("the CRD of a ModuleTemplate", () => {
  const crd = { group: "store.acme.test", kind: "Store", version: "v1" };
  const TRIED: Readonly<Record<string, readonly [requirement: object, isTaken: boolean]>> = {
    kind: [{ crd }, true],
    module: [{ module: "mesh-core", range: "^1.0.0", optional: true }, true],
    capability: [{ capability: "mesh" }, true],
    "nothing at all": [{ optional: true }, false],
    "a module and a capability": [{ module: "mesh-core", capability: "mesh" }, false],
    "a range of no module": [{ capability: "mesh", range: "^1.0.0" }, false],
    "a kind without a version": [{ crd: { group: "store.acme.test", kind: "Store" } }, false],
  };
  test("takes requirements of one thing each", async (t) => {
    const { client, stop } = await startTestApi({ api: "local", controllers: false });
    t.onTestFinished(stop);
    const resource = resourceOf(ModuleTemplate);
    await installCrd(client, crdObject(ModuleTemplate), resource);
    for (const [at, [title, [requirement, isTaken]]] of Object.entries(TRIED).entries()) {
      const metadata = { name: `t${at}`, namespace: "default" };
      const spec = { descriptor: {}, requires: [requirement] };
      const object = { apiVersion: apiVersionOf(ModuleTemplate), kind: "ModuleTemplate", metadata, spec };
      const created = client.create(resource, object, { fieldManager: "user" });
      if (isTaken) assert.deepEqual((await created).spec, spec, title);
      else await assert.rejects(created, { kind: "invalid" }, title);
    }
  });
});
