import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { KubeObject, ManagedFields } from "../object.ts";
import { appliersAmong, giveUps } from "./take-over.ts";

const entry = (manager: string, operation: "Apply" | "Update", subresource?: string): ManagedFields => ({
  manager,
  operation,
  apiVersion: "v1",
  ...(subresource !== undefined && { subresource }),
});
const live: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    name: "a",
    namespace: "n",
    uid: "u",
    labels: { work: "theirs" },
    managedFields: [
      entry("kubectl", "Apply"),
      entry("kubectl", "Update", "scale"),
      entry("edits", "Update"),
      entry("status", "Apply", "status"),
      entry("ours", "Apply"),
    ],
  },
};

describe("a program that applied an object before", () => {
  const among = (managers: readonly string[], labels: Readonly<Record<string, string>>) =>
    appliersAmong(live, { managers, labels });
  it("is known by its name, its applies and its labels", () => {
    assert.deepEqual(among(["kubectl", "edits", "status"], { work: "theirs" }), ["kubectl"]);
    assert.deepEqual(among(["kubectl"], { work: "others" }), []);
    assert.deepEqual(appliersAmong(live, undefined), []);
  });
  it("gives up what it applied to the object itself, and nothing else", () => {
    const given = giveUps(live, { fieldManager: "ours", from: [], appliers: ["kubectl", "ours", "status"] });
    assert.deepEqual(
      given.map(({ fieldManager, subresource }) => [fieldManager, subresource]),
      [["kubectl", undefined]],
    );
  });
});
