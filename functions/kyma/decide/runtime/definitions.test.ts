import assert from "node:assert/strict";
import { test } from "vitest";
import { CustomResourceDefinition } from "../../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { RuntimeDefinition } from "../../kinds/index.ts";
import { copyOf } from "./definitions.ts";

const NAME = "kymas.operator.kyma-project.io";
const version = (name: string, served: boolean, storage: boolean) => ({ name, served, storage });
type Version = ReturnType<typeof version>;
const definition = (
  versions: readonly Version[],
  storedVersions: readonly string[] | undefined,
  more = {},
): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: NAME, uid: "u", resourceVersion: "1" },
  spec: {
    group: "operator.kyma-project.io",
    scope: "Namespaced",
    names: { plural: "kymas", kind: "Kyma" },
    versions,
    ...more,
  },
  ...(storedVersions && { status: { storedVersions } }),
});

const NEW = version("v1beta2", true, true);
const OLD = version("v1beta1", true, false);
const home = parseObject(
  CustomResourceDefinition,
  definition([NEW], ["v1beta2"], { conversion: { strategy: "Webhook" } }),
);

for (const [title, there, versions] of [
  ["is not there yet", undefined, [NEW]],
  ["has said nothing yet", definition([OLD], undefined), [NEW]],
  ["never stored another version", definition([NEW, OLD], ["v1beta2"]), [NEW]],
  [
    "stored another version once: it stays, and nobody is served it",
    definition([version("v1beta1", true, true), NEW], ["v1beta1", "v1beta2"]),
    [NEW, version("v1beta1", false, false)],
  ],
] as const)
  test(`the copy of a definition, where the runtime's ${title}`, () => {
    const runtimes = there && parseObject(RuntimeDefinition, there, "rt-1");
    const copy = copyOf({ name: NAME, home, there: runtimes }, "rt-1");
    assert.deepEqual(
      JSON.stringify(copy).match(/"versions":\[.*?\]/)?.[0],
      `"versions":${JSON.stringify(versions)}`,
    );
    assert.match(JSON.stringify(copy), /"conversion":\{"strategy":"None"\}/);
  });

test("a definition that the control plane lacks is not copied", () => {
  assert.equal(copyOf({ name: NAME, home: undefined, there: undefined }, "rt-1"), undefined);
});
