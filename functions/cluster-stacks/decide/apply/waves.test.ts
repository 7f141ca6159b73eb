import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { apply, type EffectError, type Obj, type Results } from "../../../../shared/function/index.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { identityOfObject } from "../../../../shared/manifests/inventory.ts";
import { ClassObject, type Resource } from "../../kinds/index.ts";
import { applicationOf, inWaves } from "./index.ts";

const settings = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "settings", namespace: "team", labels: {}, annotations: {} },
};
const resource: Resource = { ...identityOfObject(settings), status: "not-synced" };
const stands = (deletionTimestamp?: string): Obj<typeof ClassObject> =>
  parseObject(ClassObject, {
    ...settings,
    metadata: {
      ...{ ...settings.metadata, uid: "u", resourceVersion: "1" },
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    },
  });

type Came = ReturnType<Results>;
const done = (value: unknown): Came => ({ state: "done", value, changed: true });
const failed = (error: Partial<EffectError>): Came => ({
  state: "failed",
  error: { code: "KUBE_INVALID", message: "No.", retryable: false, ...error },
});

/** What a record says of one object after its apply came out so. */
function appliedAs(
  came: Came,
  annotations: Readonly<Record<string, string>> = {},
  before: Partial<Resource> = {},
  heldBy?: string,
) {
  const object = { ...settings, metadata: { ...settings.metadata, annotations } };
  const { each } = inWaves([{ object, resource, heldBy }], (one) => apply(ClassObject, one, { force: true }));
  const results: Results = Object.assign(() => came as never, {
    ok: came.state === "done",
    failed: [],
    within: () => ({ ok: came.state === "done", failed: [] }),
  });
  const { resources, missing, going, held, ...rest } = applicationOf(
    each,
    [{ ...resource, ...before }],
    results,
  );
  const [{ status, error, recreate } = {}] = resources;
  return {
    ...{ status, error, recreate, missing: missing.length, going: going.length, held: held.length },
    ...rest,
  };
}

const NOTHING = {
  ...{ status: "not-synced", error: undefined, recreate: undefined, missing: 0, going: 0, held: 0 },
  ...{ mayPass: false, isRefused: false, recreates: false },
};

describe("an object whose apply", () => {
  const immutable = "data: Forbidden: field is immutable";
  const recreate = { "reveille.dev/recreate": "true" };
  for (const [title, came, said, annotations, before] of [
    ["was done is synced", done(stands()), { status: "synced" }],
    [
      "met one that somebody deletes is not synced, and its end is waited for",
      done(stands("2026-01-15T10:00:00Z")),
      { error: "it is being deleted, and is made anew once it is gone", going: 1 },
    ],
    ["did not run stays as it was", { state: "not run" }, {}],
    [
      "may pass is tried again",
      failed({ code: "KUBE_UNAVAILABLE", retryable: true }),
      { error: "No.", mayPass: true },
    ],
    [
      "needs a kind that is not there waits for it",
      failed({ code: "KUBE_KIND_MISSING", retryable: true }),
      { error: "No.", missing: 1 },
    ],
    [
      "changes what never changes is made anew, where it asks for that",
      failed({ message: immutable }),
      {
        error: "it cannot be changed, and is deleted and made anew, as it asks",
        recreate: true,
        recreates: true,
      },
      recreate,
    ],
    [
      "is refused once more after that is for its author",
      failed({ message: immutable }),
      {
        error: `${immutable} It is not tried again by itself: such an object cannot be changed as its release wants.`,
        isRefused: true,
      },
      recreate,
      { recreate: true },
    ],
  ] satisfies readonly (readonly [string, Came, object, Record<string, string>?, Partial<Resource>?])[])
    test(title, () => assert.deepEqual(appliedAs(came, annotations, before), { ...NOTHING, ...said }));
  test("found what another release holds and has otherwise stays as that has it; any other refusal counts", () => {
    const came = (code: string) => appliedAs(failed({ code }), {}, {}, "team/v1");
    const error =
      "it is of the release team/v1, and is otherwise than this release brings it: give it another name in one of the two, or let go of that release";
    assert.deepEqual(came("APPLY_WOULD_CHANGE"), { ...NOTHING, error, held: 1 });
    assert.deepEqual(came("KUBE_KIND_MISSING"), { ...NOTHING, error: "No.", missing: 1 });
    assert.deepEqual(appliedAs(done(stands()), {}, {}, "team/v1"), { ...NOTHING, status: "synced" });
  });
});

describe("what goes with an object that is being deleted", () => {
  const going = (apiVersion: string, kind: string, more: object = {}): KubeObject => ({
    ...{ apiVersion, kind, ...more },
    metadata: { name: "mon", uid: "u", resourceVersion: "1", deletionTimestamp: "2026-01-15T10:00:00Z" },
  });
  /** What the record says of an object that was applied before, once `live` was found to go. */
  const leftOf = (live: KubeObject, synced: Resource): unknown => {
    const applied = { ...live, metadata: { name: "mon", labels: {}, annotations: {} } };
    const one = { object: applied, resource: { ...identityOfObject(applied), stage: "cni" } };
    const { each } = inWaves([one], (object) => apply(ClassObject, object, { force: true }));
    const came = { state: "done", value: parseObject(ClassObject, live), changed: true } as const;
    const results: Results = Object.assign(() => came as never, {
      ...{ ok: true, failed: [], within: () => ({ ok: true, failed: [] }) },
    });
    const record: Resource[] = [one.resource, { ...synced, status: "synced" }];
    return applicationOf(each, record, results).resources[1]?.status;
  };
  const inside = { group: "", version: "v1", kind: "Secret", namespace: "mon", name: "a", stage: "cni" };
  const ring = { group: "ring.io", version: "v1", kind: "Ring", name: "a", stage: "cni" };
  const definition = { spec: { group: "ring.io", names: { kind: "Ring" } } };
  const crd = going("apiextensions.k8s.io/v1", "CustomResourceDefinition", definition);
  const namespace = going("v1", "Namespace");

  test("is applied anew: what lies in a namespace, and the objects of a definition", () => {
    assert.equal(leftOf(namespace, inside), "not-synced");
    assert.equal(leftOf(crd, ring), "not-synced");
  });
  test("is nothing else, and nothing that another stage brought", () => {
    assert.equal(leftOf(namespace, { ...inside, namespace: "other" }), "synced");
    assert.equal(leftOf(namespace, { ...inside, stage: "csi" }), "synced");
    assert.equal(leftOf(crd, { ...ring, kind: "Rope" }), "synced");
    assert.equal(leftOf(going("v1", "ConfigMap"), inside), "synced");
  });
});
