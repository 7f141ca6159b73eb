import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { KubeObject, ManagedFields } from "../object.ts";
import { appliersAmong, giveUps, hasPredecessor, type TakeOver, takeOverPatch } from "./take-over.ts";

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

describe("fields of an operator before", () => {
  const fields = {
    "f:metadata": {
      "f:labels": { "f:a": {} },
      "f:finalizers": { ".": {}, 'v:"theirs.example.org/one"': {} },
    },
    "f:spec": { "f:size": {} },
  };
  const owned = (operation: "Apply" | "Update", fieldsV1: Record<string, unknown>, subresource?: string) => ({
    ...entry("theirs", operation, subresource),
    fieldsV1,
  });
  const of = (...managedFields: ManagedFields[]): KubeObject => ({
    ...live,
    metadata: {
      ...live.metadata,
      finalizers: ["theirs.example.org/one", "others.example.org/two"],
      managedFields,
    },
  });
  const taking = { fieldManager: "ours", from: ["theirs"] };
  const bookedIn = (object: KubeObject, options: TakeOver): readonly ManagedFields[] => {
    const [step] = takeOverPatch(object, options) ?? assert.fail("nothing is moved");
    return step?.value as readonly ManagedFields[];
  };
  const metadataOnly: KubeObject = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", labels: { a: "1" } },
  };

  it("are given up without finalizers, which still hold something back", () => {
    const [given] = giveUps(of(owned("Apply", fields)), taking);
    assert.deepEqual(given?.body.metadata.finalizers, ["theirs.example.org/one"]);
    const only = of(
      owned("Apply", { "f:metadata": { "f:finalizers": fields["f:metadata"]["f:finalizers"] } }),
    );
    assert.equal(hasPredecessor(only, taking), false);
  });
  it("are booked under our apply without finalizers", () => {
    const { "f:finalizers": held, ...rest } = fields["f:metadata"];
    assert.deepEqual(
      bookedIn(of(owned("Update", fields)), taking).map(({ manager, operation, fieldsV1 }) => [
        manager,
        operation,
        fieldsV1,
      ]),
      [
        ["theirs", "Update", { "f:metadata": { "f:finalizers": held } }],
        ["ours", "Apply", { "f:metadata": rest, "f:spec": fields["f:spec"] }],
      ],
    );
  });
  it("stay where our apply says nothing but metadata, and with another part of the object", () => {
    const says = { ...taking, says: metadataOnly };
    assert.deepEqual(giveUps(of(owned("Apply", fields)), says), []);
    assert.equal(giveUps(of(owned("Apply", { "f:metadata": { "f:labels": {} } })), says).length, 1);
    const [kept] = bookedIn(of(owned("Update", fields)), says);
    assert.deepEqual(kept?.fieldsV1?.["f:spec"], fields["f:spec"]);
    for (const [subresource, part, taken] of [
      [undefined, "status", false],
      ["status", undefined, false],
      ["status", "status", true],
    ] as const)
      assert.equal(
        hasPredecessor(of(owned("Apply", { "f:status": {} }, subresource)), { ...taking, part }),
        taken,
        `${subresource} ${part}`,
      );
  });
});
