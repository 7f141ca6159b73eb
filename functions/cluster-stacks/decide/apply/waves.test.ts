import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { apply, type EffectError, type Obj, type Results } from "../../../../shared/function/index.ts";
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
