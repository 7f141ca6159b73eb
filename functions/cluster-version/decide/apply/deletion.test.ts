import assert from "node:assert/strict";
import { test } from "vitest";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { context } from "../../test/apply/cluster.ts";
import { deleteMark, deletionOf } from "./deletion.ts";
import { merge } from "./merge.ts";

const marked = (value: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "old", namespace: "demo", annotations: { "release.openshift.io/delete": value } },
});
const live = (uid: string, more: Partial<KubeObject["metadata"]> = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "old", namespace: "demo", uid, ...more },
});

test("scenario 39: a manifest that is marked is never applied, in no mode", () => {
  for (const mode of ["Initializing", "Updating", "Reconciling"] as const)
    for (const there of [undefined, live("a")])
      assert.equal(merge(marked("true"), there, { ...context, mode }).write, "refused");
});

test("scenario 39: untouched on an installation, requested once on an update, pending until it is gone", () => {
  assert.deepEqual(deletionOf(live("a"), { mode: "Initializing" }), { deletion: "left" });
  assert.deepEqual(deletionOf(live("a"), { mode: "Reconciling" }), { deletion: "left" });

  const first = deletionOf(live("a"), { mode: "Updating" });
  assert.equal(first.deletion, "request");
  const { record } = first;
  const terminating = live("a", { deletionTimestamp: "2026-02-03T09:00:00Z" });
  for (const mode of ["Updating", "Reconciling"] as const)
    assert.deepEqual(deletionOf(terminating, { mode, record }), { deletion: "pending", record });
  // A record that was lost costs nothing: who is being deleted says so.
  assert.equal(deletionOf(terminating, { mode: "Updating" }).deletion, "pending");

  const gone = deletionOf(undefined, { mode: "Reconciling", record });
  assert.deepEqual(gone, { deletion: "gone", record: { uid: "a", gone: true } });
});

test("what was not there counts as deleted", () => {
  assert.deepEqual(deletionOf(undefined, { mode: "Updating" }), { deletion: "gone" });
});

test("who comes back after the deletion is told of, and left alone", () => {
  const record = { uid: "a", gone: true };
  assert.equal(deletionOf(live("b"), { mode: "Updating", record }).deletion, "reappeared");
  // Made anew before anybody saw that it had gone.
  assert.deepEqual(deletionOf(live("b"), { mode: "Updating", record: { uid: "a", gone: false } }), {
    deletion: "reappeared",
    record,
  });
});

test("scenario 39: any other value than true is an error with both named", () => {
  assert.equal(deleteMark(live("a")), undefined);
  assert.deepEqual(deleteMark(marked("true")), { marked: true });
  for (const value of ["yes", "True", "false", ""]) {
    const message = `Invalid delete annotation "release.openshift.io/delete" value: "${value}"`;
    assert.deepEqual(deleteMark(marked(value)), { marked: false, fault: { message } });
    assert.deepEqual(merge(marked(value), undefined, context), { write: "refused", fault: { message } });
  }
});
