import assert from "node:assert/strict";
import { test } from "vitest";
import type { KubeObject, OwnerReference } from "../../../../shared/kube/object.ts";
import { ownersOf } from "./owners.ts";

const owner = { apiVersion: "config.openshift.io/v1", kind: "ClusterVersion", name: "version", uid: "cv" };
const ours: OwnerReference = { ...owner, controller: true, blockOwnerDeletion: true };
const other: OwnerReference = { apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "other" };

const object = (ownerReferences?: readonly OwnerReference[], annotations = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "demo", annotations, ...(ownerReferences !== undefined && { ownerReferences }) },
});

test("the ClusterVersion controls what the payload makes", () => {
  assert.deepEqual(ownersOf(object(), undefined, owner), [ours]);
  assert.deepEqual(ownersOf(object(), object([ours]), owner), [ours]);
});

test("what is only created is owned, not controlled", () => {
  const manifest = object(undefined, { "release.openshift.io/create-only": "True" });
  assert.deepEqual(ownersOf(manifest, undefined, owner), [{ ...ours, controller: false }]);
});

test("owners that the manifest names stand instead, set by uid beside those that are there", () => {
  assert.deepEqual(ownersOf(object([other]), undefined, owner), [other]);
  const changed = { ...other, blockOwnerDeletion: true };
  assert.deepEqual(ownersOf(object([changed]), object([ours, other]), owner), [ours, changed]);
});

test("other owners stay; beside another controller the ClusterVersion is a plain owner", () => {
  assert.deepEqual(ownersOf(object(), object([other]), owner), [other, ours]);
  const controller = { ...other, controller: true };
  const both = [controller, { ...ours, controller: false }];
  assert.deepEqual(ownersOf(object(), object([controller]), owner), both);
  assert.deepEqual(ownersOf(object(), object(both), owner), both);
});

test("a ClusterVersion that was made anew takes the place of the former one", () => {
  const former = { ...ours, uid: "former" };
  assert.deepEqual(ownersOf(object(), object([other, former]), owner), [other, ours]);
});
