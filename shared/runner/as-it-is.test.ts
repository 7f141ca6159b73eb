import assert from "node:assert/strict";
import { it } from "vitest";
import { JAR, Jar } from "../../infra/testing/jar.ts";
import { itemOf, leaseOf, runnerOf } from "../../infra/testing/one-run.ts";
import { apply, each, unwatched } from "../function/index.ts";
import type { KubeClient } from "../kube/client.ts";
import { ConfigMap } from "../kube/kinds/config-map.ts";
import type { KubeObject } from "../kube/object.ts";

const map = (text: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    ...{ name: "m", namespace: "a", uid: "m", resourceVersion: "7" },
    managedFields: [
      {
        ...{ manager: "reveille-keeper", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1" },
        fieldsV1: { "f:data": { "f:text": {} } },
      },
    ],
  },
  data: { text },
});

/** The end of an apply of `wanted` that writes nothing: its state, or the code of its error. */
async function looked(live: KubeObject | undefined): Promise<unknown> {
  const ends: unknown[] = [];
  const client: Partial<KubeClient> = {
    get: async (_, { name }) => (name === "j" ? JAR : live),
    apply: () => assert.fail("it wrote"),
    create: async () => JAR,
  };
  const keeper = each(Jar).function({
    name: "keeper",
    writes: [unwatched(ConfigMap, "it is another's")],
    reconcile: () => {
      const metadata = { name: "m", namespace: "a" };
      const effects = apply(ConfigMap, { metadata, data: { text: "wanted" } }, { force: true, asItIs: true });
      return {
        effects,
        conclude: (results) => {
          const result = results(effects);
          ends.push(
            result.state === "failed" ? [result.error.code, result.error.object?.name] : result.state,
          );
          return {};
        },
      };
    },
  });
  await runnerOf(keeper, client)(leaseOf(itemOf("keeper", "c/unit.example.org/Jar/a/j")));
  return ends[0];
}

it("an apply that leaves the object as it is fails where it would change it, and says whom to wait for", async () => {
  assert.equal(await looked(map("wanted")), "done");
  assert.deepEqual(await looked(map("other")), ["APPLY_WOULD_CHANGE", "m"]);
  assert.deepEqual(await looked(undefined), ["APPLY_WOULD_CHANGE", "m"]);
});
