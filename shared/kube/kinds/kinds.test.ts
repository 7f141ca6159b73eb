import assert from "node:assert/strict";
import { test } from "vitest";
import { apply } from "../../function/index.ts";
import type { Body } from "../kind.ts";
import { valueAt } from "../paths.ts";
import * as kinds from "./index.ts";

test("every kind is external and has what requests need", () => {
  for (const [name, kind] of Object.entries(kinds)) {
    assert.equal(kind.kind, name);
    assert.ok(kind.external, name);
    assert.equal(kind.version, "v1");
    assert.equal(kind.plural, name === "Ingress" ? "ingresses" : `${name.toLowerCase()}s`);
  }
});

test("a Deployment tells that it is available, and why not", () => {
  const conditions = [
    { type: "Available", status: "False", reason: "MinimumReplicasUnavailable" },
    { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "quota" },
  ];
  const object = { spec: {}, status: { observedGeneration: 3, conditions } };
  const facts = Object.fromEntries(
    Object.entries(kinds.Deployment.facts).map(([fact, path]) => [fact, valueAt(object, path)]),
  );
  assert.deepEqual(facts, {
    available: "False",
    replicaFailure: "True",
    replicaFailureReason: "FailedCreate",
    replicaFailureMessage: "quota",
    progressing: undefined,
    progressingStatus: undefined,
    progressingMessage: undefined,
    observedGeneration: 3,
  });
  assert.deepEqual(kinds.Deployment.ready, {
    path: ["status", "conditions", "[Available]", "status"],
    equals: "True",
  });
});

test("functions write workloads with types, and unknown fields of later versions are kept on reading", () => {
  const body: Body<typeof kinds.Deployment> = {
    metadata: { name: "a", namespace: "n" },
    spec: {
      selector: { matchLabels: { app: "a" } },
      template: {
        metadata: { labels: { app: "a" } },
        spec: { containers: [{ name: "c", image: "i", ports: [{ containerPort: 80 }] }] },
      },
    },
  };
  const later = { spec: { ...body.spec, ofTomorrow: true } };
  assert.deepEqual(kinds.Deployment.fields.parse(later), later);
});

test("an apply takes a part of an object that others define", () => {
  const at = { name: "a", namespace: "n" };
  for (const body of [
    { metadata: at, spec: { replicas: 3 } },
    { metadata: at, spec: { template: { metadata: { labels: { tier: "gold" } } } } },
  ])
    assert.deepEqual(apply(kinds.Deployment, body).plan, {
      effect: "apply",
      kind: kinds.Deployment,
      body,
    });
});
