import assert from "node:assert/strict";
import { it } from "vitest";
import { apiVersionOf } from "../../../../shared/kube/object.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { Manifest } from "../../kinds/index.ts";
import { memoryHandlers } from "../../ports/trusted-handlers/adapters/index.ts";
import { observeInstall, type RuntimeReads } from "./observe-install.ts";

const OPERATOR = { group: "apps", version: "v1", kind: "Deployment", name: "a" };

/** The place at which the operator of a Manifest is looked for, in a runtime that has nothing. */
async function placeOf(manager: object, scope: "Namespaced" | "Cluster" | undefined) {
  const self = parseObject(Manifest, {
    apiVersion: apiVersionOf(Manifest),
    kind: "Manifest",
    metadata: { name: "rt-1-alpha-1", namespace: "kcp-system", uid: "u", resourceVersion: "1" },
    spec: {
      remote: true,
      install: { name: "raw-manifest", source: { type: "oci-ref", repo: "r", name: "n", ref: "sha256:1" } },
      manager,
    },
  });
  const reads: RuntimeReads = {
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
    knows: async () => scope && { scope },
  };
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
