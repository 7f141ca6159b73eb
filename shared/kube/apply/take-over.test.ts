import assert from "node:assert/strict";
import { test } from "vitest";
import type { KubeObject, ManagedFields } from "../object.ts";
import { giveUps, takeOverPatch } from "./take-over.ts";

const entry = (
  manager: string,
  operation: "Apply" | "Update",
  fieldsV1: object,
  subresource?: string,
): ManagedFields => ({
  manager,
  operation,
  apiVersion: "v1",
  fieldsType: "FieldsV1",
  fieldsV1: fieldsV1 as Record<string, unknown>,
  ...(subresource === undefined ? {} : { subresource }),
});
const live = (...managedFields: ManagedFields[]): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "x", namespace: "n", uid: "u", resourceVersion: "5", managedFields },
});
const names = { fieldManager: "ours", from: ["old", "older"] };

test("fields of old updaters are merged into our apply, part by part", () => {
  const kubectl = entry("kubectl-edit", "Update", { "f:data": { "f:z": {} } });
  const oldApply = entry("old", "Apply", { "f:data": { "f:w": {} } });
  assert.deepEqual(
    takeOverPatch(
      live(
        entry("ours", "Apply", { "f:data": { ".": {}, "f:a": {} } }),
        entry("old", "Update", { "f:data": { "f:b": {} }, "f:metadata": { "f:labels": {} } }),
        kubectl,
        entry("older", "Update", { "f:data": { "f:a": {}, "f:c": {} } }),
        entry("old", "Update", { "f:status": { "f:phase": {} } }, "status"),
        oldApply,
      ),
      names,
    ),
    [
      {
        op: "replace",
        path: "/metadata/managedFields",
        value: [
          entry("ours", "Apply", {
            "f:data": { ".": {}, "f:a": {}, "f:b": {}, "f:c": {} },
            "f:metadata": { "f:labels": {} },
          }),
          kubectl,
          oldApply,
          entry("ours", "Apply", { "f:status": { "f:phase": {} } }, "status"),
        ],
      },
      { op: "replace", path: "/metadata/resourceVersion", value: "5" },
    ],
  );
});

test("nothing is sent where nothing is to be moved", () => {
  assert.equal(
    takeOverPatch(
      live(entry("ours", "Apply", {}), entry("kubectl", "Update", {}), entry("old", "Apply", {})),
      names,
    ),
    undefined,
  );
  assert.deepEqual(
    giveUps(live(entry("ours", "Apply", {}), entry("old", "Update", {}), entry("kubectl", "Apply", {})), {
      ...names,
      from: ["old", "ours"],
    }),
    [],
  );
});

test("old appliers give up in their own name, guarded by the uid", () => {
  const metadata = { name: "x", namespace: "n", uid: "u" };
  assert.deepEqual(giveUps(live(entry("old", "Apply", {}), entry("older", "Apply", {}, "status")), names), [
    { fieldManager: "old", subresource: undefined, body: { apiVersion: "v1", kind: "ConfigMap", metadata } },
    { fieldManager: "older", subresource: "status", body: { apiVersion: "v1", kind: "ConfigMap", metadata } },
  ]);
});
