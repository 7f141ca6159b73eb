import assert from "node:assert/strict";
import { it } from "vitest";
import * as z from "zod";
import { defineKind, each, unwatched } from "../../shared/function/index.ts";
import { knownKindsOf } from "./declared.ts";

const shape = {
  group: "kites.example.org",
  scope: "Namespaced",
  external: true,
  fields: { spec: z.object({}).optional() },
} as const;
class Kite extends defineKind({ ...shape, version: ["v1beta2", "v1beta1"], kind: "Kite" }) {}
class Tail extends defineKind({ ...shape, version: "v1", kind: "Tail" }) {}

it("commands know all versions of a kind that will do: a server may offer an older one alone", () => {
  const watching = each(Kite, { status: [] }).function({
    name: "watching",
    reads: [unwatched(Tail, "only its name counts")],
    observe: async () => ({}),
    reconcile: () => ({}),
  });
  assert.deepEqual(
    knownKindsOf([watching]).map(({ kind, version, versions }) => [kind, version, versions]),
    [
      ["Kite", "v1beta2", ["v1beta2", "v1beta1"]],
      ["Tail", "v1", undefined],
    ],
  );
});
