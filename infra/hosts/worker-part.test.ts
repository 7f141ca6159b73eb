import assert from "node:assert/strict";
import { it } from "vitest";
import * as z from "zod";
import { defineKind, each } from "../../shared/function/index.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { type Log, silent } from "../../shared/log/log.ts";
import { tellOfOlderCrds } from "./worker-part.ts";

class Toy extends defineKind({
  group: "toys.example.org",
  version: "v1",
  kind: "Toy",
  scope: "Namespaced",
  fields: { spec: z.object({}) },
  status: z.object({ made: z.boolean().optional(), by: z.string().optional() }),
}) {}
const toys = each(Toy).function({ name: "toys", reconcile: () => ({ status: { made: true } }) });

/** The warnings of a worker whose server answers so. */
async function warningsWhere(
  raw: (path: string) => unknown,
): Promise<readonly (readonly [object, string])[]> {
  const said: (readonly [object, string])[] = [];
  const log: Log = { ...silent, warn: (fields, message) => said.push([fields, message]), child: () => log };
  await tellOfOlderCrds({ client: { raw: async (_, path) => raw(path) }, functions: [toys], log });
  return said;
}
const served = (status: object) => ({
  components: {
    schemas: {
      toy: {
        "x-kubernetes-group-version-kind": [{ group: "toys.example.org", version: "v1", kind: "Toy" }],
        properties: { spec: { type: "object" }, status },
      },
    },
  },
});
const BOOLEAN = { type: "boolean" };
const TEXT = { type: "string" };

it("names the fields that a CRD in the cluster lacks, and what to do", async () => {
  const [[fields, message] = [], ...others] = await warningsWhere((path) => {
    assert.equal(path, "/openapi/v3/apis/toys.example.org/v1");
    return served({ type: "object", properties: { made: BOOLEAN } });
  });
  assert.deepEqual(fields, { crd: "toys.toys.example.org", fields: ["status.by"] });
  assert.match(message ?? "", /reveille crds \| kubectl apply/);
  assert.deepEqual(others, []);
});

it("says nothing where the server keeps every field, or does not have the kind", async () => {
  const keeps = [
    served({ type: "object", properties: { made: BOOLEAN, by: TEXT, more: TEXT } }),
    served({ type: "object", "x-kubernetes-preserve-unknown-fields": true }),
    served({ type: "object", additionalProperties: true }),
    {},
  ];
  for (const schemas of keeps) assert.deepEqual(await warningsWhere(() => schemas), []);
  const missing = new KubeError("kindMissing", "there is none", { request: "GET" });
  assert.deepEqual(
    await warningsWhere(() => {
      throw missing;
    }),
    [],
  );
});

it("starts where it may not ask, and says that it cannot tell", async () => {
  const said = await warningsWhere(() => {
    throw new KubeError("forbidden", "no", { request: "GET" });
  });
  assert.match(said[0]?.[1] ?? "", /could not be compared/);
});
