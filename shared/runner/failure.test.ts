import assert from "node:assert/strict";
import { it } from "vitest";
import * as z from "zod";
import { itemOf, leaseOf, runnerOf } from "../../infra/testing/one-run.ts";
import { defineKind, type EffectError, each, own } from "../function/index.ts";
import type { KubeClient } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";

class Jar extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Jar",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
  status: z.object({ level: z.int() }),
}) {}
const jar = {
  apiVersion: "unit.example.org/v1",
  kind: "Jar",
  metadata: { name: "one", namespace: "a", uid: "u", resourceVersion: "5", generation: 1 },
  spec: { size: 1 },
};

/** One third attempt of a function whose only effect is refused so: what its `failed` is told, and how the run ends. */
async function refusedWith(error: KubeError) {
  const told: EffectError[] = [];
  const pours = each(Jar).function({
    name: "pours",
    owns: [Jar],
    reconcile: ({ self }) => ({
      effects: own(self, Jar, { metadata: { name: "child" }, spec: { size: 2 } }),
    }),
    failed: (_, failure) => {
      told.push(failure);
      return undefined;
    },
  });
  const client: Partial<KubeClient> = {
    get: async (_, { name }) => (name === "one" ? jar : undefined),
    apply: async () => {
      throw error;
    },
    create: async (_, object) => object,
  };
  const end = await runnerOf(
    pours,
    client,
  )(leaseOf(itemOf("pours", "c/unit.example.org/Jar/a/one", { attempt: 3 })));
  assert.ok(end.state === "failed");
  return { told, end };
}

it("tells `failed` what came of the effect: code, status, whether and when it may pass", async () => {
  const { told, end } = await refusedWith(
    new KubeError("throttled", "too many requests", {
      request: "PATCH jars",
      status: { code: 429 },
      retryAfterMilliseconds: 7_000,
    }),
  );
  assert.deepEqual(told, [
    {
      code: "KUBE_THROTTLED",
      message: "too many requests",
      retryable: true,
      status: 429,
      retryAfterMilliseconds: 7_000,
    },
  ]);
  assert.deepEqual(
    [end.error.code, end.retryable, end.retryAfterMilliseconds],
    ["KUBE_THROTTLED", true, 7_000],
  );
});

it("tells it of what a further attempt cannot change, too", async () => {
  const { told, end } = await refusedWith(
    new KubeError("invalid", "PATCH jars: no such size (422)", {
      request: "PATCH jars",
      sentence: "no such size",
      status: { code: 422 },
    }),
  );
  assert.deepEqual(told, [{ code: "KUBE_INVALID", message: "no such size", retryable: false, status: 422 }]);
  assert.deepEqual([end.error.code, end.retryable], ["KUBE_INVALID", false]);
  // The request stands where whoever runs the functions looks, and nowhere else.
  assert.equal(end.error.message, "PATCH jars: no such size (422)");
  assert.equal(end.run.error?.message, "PATCH jars: no such size (422)");
  assert.deepEqual(
    end.run.writes.flatMap(({ verb, subject, error }) =>
      error === undefined ? [] : [[verb, subject, error]],
    ),
    [["apply", "unit.example.org/Jar/a/child", "PATCH jars: no such size (422)"]],
  );
});
