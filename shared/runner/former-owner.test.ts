import assert from "node:assert/strict";
import { it } from "vitest";
import * as z from "zod";
import { defineKind, each, type Verb } from "../function/index.ts";
import type { KubeClient } from "../kube/client.ts";
import type { KubeObject } from "../kube/object.ts";
import { parseObject } from "../kube/read.ts";
import { FormerOwnerError, StaleError } from "./errors.ts";
import { removeFormers } from "./former-owner.ts";
import { Recorder } from "./recorder.ts";
import { rightsOf } from "./rights.ts";

class Jar extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Jar",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
}) {}
class Lid extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Lid",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
}) {}

const object = (kind: string, uid: string, more: Partial<KubeObject["metadata"]> = {}): KubeObject => ({
  apiVersion: "unit.example.org/v1",
  kind,
  metadata: { name: "one", namespace: "a", uid, resourceVersion: "5", ...more },
  spec: { size: 1 },
});
const REFUSAL = new FormerOwnerError(
  "Lid a/one",
  { apiVersion: "unit.example.org/v1", kind: "Jar", name: "one", uid: "old" },
  { apiVersion: "unit.example.org/v1", kind: "Lid", name: "one", namespace: "a" },
);

/** What is deleted, with which guard, where `now` is the owner that is there. */
async function removed(
  now: KubeObject | undefined,
  more: { lid?: KubeObject; verbs?: readonly Verb[] } = {},
) {
  const deleted: unknown[] = [];
  const client: Partial<KubeClient> = {
    get: async () => now,
    delete: async (_, { name }, { uid, resourceVersion }) => {
      deleted.push({ name, uid, resourceVersion });
      return undefined;
    },
  };
  const { verbs = ["get", "create", "patch", "delete"] } = more;
  const caps = each(Jar).function({
    name: "caps",
    owns: [Lid],
    verbs: { Lid: verbs },
    reconcile: () => ({}),
  });
  const owner = parseObject(Jar, object("Jar", "new"));
  const end = removeFormers({ kind: Lid, owner }, more.lid ?? object("Lid", "child"), REFUSAL, {
    client: client as KubeClient,
    rights: rightsOf(caps),
    recorder: new Recorder(),
    signal: new AbortController().signal,
  });
  return { end, deleted };
}

it("deletes what it looked at, and nothing that was made or changed since", async () => {
  const { end, deleted } = await removed(object("Jar", "new"));
  await end;
  assert.deepEqual(deleted, [{ name: "one", uid: "child", resourceVersion: "5" }]);
});

it("deletes nothing where the owner that was read is itself the former one", async () => {
  for (const now of [undefined, object("Jar", "newer")]) {
    const { end, deleted } = await removed(now);
    await assert.rejects(end, StaleError);
    assert.deepEqual(deleted, []);
  }
});

it("waits where it may not delete, and where the child is on its way out", async () => {
  for (const more of [
    { verbs: ["get", "create", "patch"] as const },
    { lid: object("Lid", "child", { deletionTimestamp: "2026-01-15T10:00:00Z" }) },
  ]) {
    const { end, deleted } = await removed(object("Jar", "new"), more);
    await assert.rejects(end, REFUSAL);
    assert.deepEqual(deleted, []);
  }
});
