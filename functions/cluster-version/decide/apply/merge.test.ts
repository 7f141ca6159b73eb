import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { fieldOf } from "../../../../shared/json/fields.ts";
import type { KubeObject, ManagedFields } from "../../../../shared/kube/object.ts";
import { context } from "../../test/apply/cluster.ts";
import { widgets } from "../../test/apply/definitions.ts";
import * as samples from "../../test/apply/manifests.ts";
import { merge } from "./merge.ts";
import type { ApplyContext } from "./verdict.ts";

const updating: ApplyContext = { ...context, mode: "Updating" };
const installing: ApplyContext = { ...context, mode: "Initializing" };

/** As the server holds it after the first write, with what others did to it since. */
function live(
  manifest: KubeObject,
  others: Readonly<Record<string, unknown>> = {},
  metadata = {},
): KubeObject {
  const made = merge(manifest, undefined, context);
  assert.equal(made.write, "create");
  return {
    ...made.body,
    ...others,
    metadata: { ...made.body.metadata, uid: "u1", resourceVersion: "7", ...metadata },
  };
}
function replaced(manifest: KubeObject, object: KubeObject, about = context): KubeObject {
  const write = merge(manifest, object, about);
  assert.equal(write.write, "replace");
  return write.body;
}
const custom = (spec: unknown, metadata = {}): KubeObject => ({
  apiVersion: "demo.example.org/v1",
  kind: "Gadget",
  metadata: { name: "demo", ...metadata },
  spec,
});
const writtenBy = (
  manager: string,
  fieldsV1: Readonly<Record<string, unknown>>,
  time?: string,
): ManagedFields => ({
  manager,
  operation: "Update",
  fieldsV1,
  ...(time !== undefined && { time }),
});

describe("an absent object", () => {
  test("is made as the manifest says, owned by the ClusterVersion, without status and times", () => {
    const { spec, apiVersion, kind } = widgets;
    assert.deepEqual(live(widgets), {
      apiVersion,
      kind,
      metadata: {
        name: "widgets.demo.example.org",
        namespace: undefined,
        labels: { "app.example.org/part-of": "demo" },
        annotations: { "include.release.openshift.io/self-managed-high-availability": "true" },
        finalizers: undefined,
        ownerReferences: [{ ...context.owner, controller: true, blockOwnerDeletion: true }],
        uid: "u1",
        resourceVersion: "7",
      },
      spec,
    });
  });
  test("that is a ClusterOperator gets the empty spec that its schema wants", () => {
    for (const about of [installing, updating, context])
      assert.deepEqual(merge(samples.clusterOperator, undefined, about).write, "create");
    assert.deepEqual(live(samples.clusterOperator).spec, {});
    assert.equal(live(samples.clusterOperator).status, undefined);
  });
});

describe("scenario 40", () => {
  test("an object that is only created survives whatever a user makes of it", () => {
    for (const value of ["true", "True", "TRUE"]) {
      const annotations = { "release.openshift.io/create-only": value };
      const manifest = { ...samples.configMap, metadata: { ...samples.configMap.metadata, annotations } };
      assert.equal(merge(manifest, undefined, context).write, "create");
      const edited = live(manifest, { data: { mine: "1" } });
      for (const about of [installing, updating, context])
        assert.deepEqual(merge(manifest, edited, about), { write: "none", because: "create-only" });
    }
  });
  test("any other value of the annotation does not spare it", () => {
    const annotations = { "release.openshift.io/create-only": "yes" };
    const manifest = { ...samples.configMap, metadata: { ...samples.configMap.metadata, annotations } };
    assert.equal(merge(manifest, live(manifest, { data: {} }), context).write, "replace");
  });
  test("a key that the manifest lists is restored, another one survives", () => {
    const edited = live(samples.configMap, { data: { "config.yaml": "mine", mine: "1" } });
    assert.deepEqual(replaced(samples.configMap, edited).data, {
      "config.yaml": "a: 1\n",
      empty: "",
      mine: "1",
    });
  });
});

describe("metadata", () => {
  const labelled = (labels: Readonly<Record<string, string>>, manifest: KubeObject): KubeObject => ({
    ...manifest,
    metadata: { ...manifest.metadata, labels },
  });
  test("that a later release no longer lists stays on the kinds that we know", () => {
    const before = live(labelled({ old: "1", both: "1" }, samples.configMap));
    assert.deepEqual(replaced(labelled({ both: "2" }, samples.configMap), before).metadata.labels, {
      old: "1",
      both: "2",
    });
  });
  test("is the manifest's on any other kind, but for what Kubernetes writes there itself", () => {
    const before = live(
      custom({}, { labels: { old: "1" } }),
      {},
      {
        labels: { old: "1", "a.k8s.io/b": "1", "kubernetes.io/c": "1", "notkubernetes.io/d": "1" },
      },
    );
    assert.deepEqual(replaced(custom({}, { labels: { fresh: "1" } }), before).metadata.labels, {
      fresh: "1",
      "a.k8s.io/b": "1",
      "kubernetes.io/c": "1",
    });
  });
  test("that becomes empty is said to be, lest it be taken for unsaid", () => {
    const before = live(custom({}), {}, { annotations: { mine: "1" } });
    assert.deepEqual(replaced(custom({}), before).metadata.annotations, {});
  });
  test("keeps finalizers and what the server set", () => {
    const before = live(samples.configMap, { data: {} }, { finalizers: ["x/y"], generation: 3 });
    const { finalizers, generation, managedFields } = replaced(samples.configMap, before).metadata;
    assert.deepEqual([finalizers, generation, managedFields], [["x/y"], 3, undefined]);
  });
});

describe("a ClusterOperator", () => {
  test("is its operator's: only labels and annotations are restored, and only while reconciling", () => {
    const edited = live(
      samples.clusterOperator,
      { spec: { own: 1 }, status: { versions: [] } },
      { labels: {} },
    );
    for (const about of [installing, updating])
      assert.deepEqual(merge(samples.clusterOperator, edited, about), { write: "none", because: "not ours" });
    const body = replaced(samples.clusterOperator, edited);
    assert.deepEqual(body.metadata.labels, samples.clusterOperator.metadata.labels);
    assert.deepEqual([body.spec, body.status], [{ own: 1 }, { versions: [] }]);
  });
});

describe("a kind that nobody knows", () => {
  const manifest = custom({ said: 1, list: [{ name: "a" }] });
  const defaults = { spec: { said: 1, filled: "by the schema", list: [{ name: "a", weight: 1 }] } };
  const own = writtenBy("ours", { "f:spec": { "f:said": {}, "f:filled": {}, "f:list": {} } });

  test("keeps what a schema filled in, and is not written again for it", () => {
    assert.deepEqual(merge(manifest, live(manifest, defaults, { managedFields: [own] }), context), {
      write: "none",
      because: "same",
    });
  });
  test("loses what somebody else has put beside it", () => {
    const users = writtenBy("kubectl-edit", { "f:spec": { ".": {}, "f:mine": {} } });
    const edited = { spec: { ...defaults.spec, mine: true } };
    assert.deepEqual(
      replaced(manifest, live(manifest, edited, { managedFields: [own, users] })).spec,
      defaults.spec,
    );
  });
  test("keeps what its maker had filled in, whoever that was", () => {
    const created = "2026-02-03T09:00:00Z";
    const maker = writtenBy(
      "installer",
      { "f:spec": { "f:said": {}, "f:filled": {}, "f:list": {} } },
      created,
    );
    const there = live(manifest, defaults, { creationTimestamp: created, managedFields: [maker] });
    assert.equal(merge(manifest, there, context).write, "none");
  });
  test("loses, while updating, what only the release before had", () => {
    const before = live(custom({ said: 1, list: [{ name: "a" }], dropped: true }));
    assert.equal(merge(manifest, before, context).write, "none", "reconciling cannot tell it from a default");
    assert.deepEqual(replaced(manifest, before, updating).spec, manifest.spec);
  });
  test("keeps fields at the top that the manifest does not have", () => {
    const there = live(manifest, { ...defaults, extra: { mine: 1 } });
    assert.equal(merge(manifest, there, context).write, "none");
    assert.deepEqual(replaced(custom({ said: 2 }), there).extra, { mine: 1 });
  });
  test("never takes a field of another item for a default of this one", () => {
    const there = live(
      manifest,
      { spec: { said: 1, list: [{ name: "b", mine: 1 }] } },
      { managedFields: [own] },
    );
    assert.deepEqual(replaced(manifest, there).spec, { said: 1, list: [{ name: "a" }] });
  });
});

describe("a CA bundle that another injects", () => {
  const annotations = { "service.beta.openshift.io/inject-cabundle": "true" };
  const conversion = (caBundle?: string) => ({
    strategy: "Webhook",
    webhook: {
      conversionReviewVersions: ["v1"],
      clientConfig: { service: { name: "x", namespace: "y" }, ...(caBundle && { caBundle }) },
    },
  });
  const definition = (caBundle: string | undefined, annotated: boolean): KubeObject => ({
    ...widgets,
    metadata: { ...widgets.metadata, ...(annotated && { annotations }) },
    spec: { ...(widgets.spec as object), conversion: conversion(caBundle) },
  });
  const withBundle = { spec: definition("injected", true).spec };

  test("stays in a definition's conversion where the annotation says so, and else goes", () => {
    for (const own of [undefined, "empty"])
      assert.equal(
        merge(definition(own, true), live(definition(own, true), withBundle), context).write,
        "none",
      );
    const plain = definition(undefined, false);
    assert.deepEqual(fieldOf(replaced(plain, live(plain, withBundle)).spec, "conversion"), conversion());
  });
  test("stays in a webhook configuration and in an APIService", () => {
    const webhooks = (caBundle?: string) =>
      [{ name: "a" }, { name: "b" }].map((one) => ({
        ...one,
        clientConfig: { url: "x", ...(caBundle && { caBundle }) },
      }));
    const manifest: KubeObject = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "x", annotations },
      webhooks: webhooks(),
    };
    assert.equal(merge(manifest, live(manifest, { webhooks: webhooks("injected") }), updating).write, "none");
    const service: KubeObject = {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: "x", annotations },
      spec: { group: "x" },
    };
    const injected = { spec: { group: "x", caBundle: "injected" } };
    assert.equal(merge(service, live(service, injected), updating).write, "none");
  });
});

test("a template of pods is written in the words in which it stands: defaults never move it", () => {
  const labelled = {
    ...samples.recreated,
    metadata: { ...samples.recreated.metadata, labels: { fresh: "1" } },
  };
  const before = live(samples.recreated);
  assert.deepEqual(replaced(labelled, before).spec, before.spec);
});

test("a Job's selector is the server's: a manifest that has one is refused, a live one stays", () => {
  const selector = { matchLabels: { "batch.kubernetes.io/controller-uid": "u" } };
  const fault = { message: "spec.selector is not supported in Job manifests" };
  const job: KubeObject = { ...samples.job, spec: { ...(samples.job.spec as object), selector } };
  assert.deepEqual(merge(job, undefined, context), { write: "refused", fault });
  const cronJob = { ...samples.cronJob, spec: { schedule: "* * * * *", jobTemplate: { spec: job.spec } } };
  assert.deepEqual(merge(cronJob, undefined, context), { write: "refused", fault });
  assert.equal(merge(samples.job, live(samples.job, { spec: job.spec }), context).write, "none");
});

test("where an object differs is told by paths, without values", () => {
  const edited = live(samples.secret, { data: { key: "c2VjcmV0" } });
  const write = merge(samples.secret, edited, context);
  assert.equal(write.write, "replace");
  assert.deepEqual(write.differs, ["data.key", "data.empty"]);
});
