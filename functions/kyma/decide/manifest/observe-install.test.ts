import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Obj, Results } from "../../../../shared/function/index.ts";
import { apiVersionOf } from "../../../../shared/kube/object.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { LABELS, Manifest, RuntimeObject } from "../../kinds/index.ts";
import { memoryHandlers } from "../../ports/trusted-handlers/adapters/index.ts";
import { installation } from "./install.ts";
import { observeInstall, type RuntimeReads } from "./observe-install.ts";

const OPERATOR = { group: "apps", version: "v1", kind: "Deployment", name: "a" };

const manifestOf = (spec: object): Obj<typeof Manifest> =>
  parseObject(Manifest, {
    apiVersion: apiVersionOf(Manifest),
    kind: "Manifest",
    metadata: { name: "rt-1-alpha-1", namespace: "kcp-system", uid: "u", resourceVersion: "1" },
    spec: {
      remote: true,
      install: { name: "raw-manifest", source: { type: "oci-ref", repo: "r", name: "n", ref: "sha256:1" } },
      ...spec,
    },
  });
/** A runtime that has nothing, and an artifact without objects. */
const NOTHING: RuntimeReads = {
  components: {
    describe: () => assert.fail("nobody asks for it"),
    layer: async () => ({ state: "read", documents: [] }),
  },
  object: async () => undefined,
  objects: async () => [],
  sibling: async () => undefined,
  secret: async () => undefined,
  handlers: memoryHandlers(),
  kyma: async () => undefined,
  knows: async () => undefined,
};
const NOTHING_FAILED: Results = Object.assign(() => ({ state: "not run" as const }), {
  ok: true,
  failed: [],
  within: () => ({ ok: true, failed: [] }),
});

/** The place at which the operator of a Manifest is looked for, in a runtime that has nothing. */
async function placeOf(manager: object, scope: "Namespaced" | "Cluster" | undefined) {
  const self = manifestOf({ manager });
  const reads: RuntimeReads = { ...NOTHING, knows: async () => scope && { scope } };
  const { operator } = await observeInstall(self, reads, { dependencyGraceMinutes: 5 });
  return operator?.at.namespace;
}

it("an operator that the artifact lacks and nobody places is looked for where modules live", async () => {
  assert.equal(await placeOf(OPERATOR, "Namespaced"), "kyma-system");
  assert.equal(await placeOf({ ...OPERATOR, namespace: "" }, "Namespaced"), "kyma-system");
  assert.equal(await placeOf({ ...OPERATOR, namespace: "y" }, "Namespaced"), "y");
  for (const scope of ["Cluster", undefined] as const)
    assert.equal(await placeOf(OPERATOR, scope), undefined);
});

describe("a definition that bears the marks of another Manifest", () => {
  const bringer = "rt-0-alpha-1";
  const DEFINITION = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    spec: { group: "acme.test", names: { kind: "Store" }, scope: "Namespaced", versions: [] },
  };
  const reported = async (isThere: boolean) => {
    const self = manifestOf({});
    const labels = { [LABELS.managedBy]: "kyma", "app.kubernetes.io/component": bringer };
    const at = { name: "stores.acme.test", uid: "u", resourceVersion: "1", labels };
    const live = parseObject(RuntimeObject, { ...DEFINITION, metadata: at }, "rt-1");
    const value = { ...DEFINITION, metadata: { name: "stores.acme.test" } };
    const world = await observeInstall(
      self,
      {
        ...NOTHING,
        components: {
          ...NOTHING.components,
          layer: async () => ({ state: "read", documents: [value] }),
        },
        knows: async () => ({ scope: "Cluster" }),
        object: async () => live,
        sibling: async (name) => (isThere && name === bringer ? self : undefined),
      },
      { dependencyGraceMinutes: 5 },
    );
    return installation(self, "rt-1", world, "2026-03-01T12:00:00Z").report(NOTHING_FAILED);
  };
  it("stays that one's", async () => {
    const { state, message } = await reported(true);
    assert.equal(state, "Error");
    assert.match(message, /belongs to Manifest rt-0-alpha-1/);
  });
  it("is free once that is no more", async () => {
    assert.equal((await reported(false)).state, "Processing");
  });
});
