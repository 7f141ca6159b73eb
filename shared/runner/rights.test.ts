import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { all, awaited, defineDynamic, defineKind, each, unwatched } from "../function/index.ts";
import { ConfigMap, Deployment, Job } from "../kube/kinds/index.ts";
import {
  awaitedRulesOf,
  executionRulesOf,
  missingFor,
  rightsOf,
  rulesOf,
  takeOverRulesOf,
} from "./rights.ts";

class Kite extends defineKind({
  group: "rights.example.org",
  version: "v1",
  kind: "Kite",
  scope: "Namespaced",
  fields: { spec: z.object({}) },
  status: z.object({}),
}) {}

const kites = each(Kite).function({
  name: "kites",
  owns: [ConfigMap, Deployment],
  verbs: { ConfigMap: ["get", "create", "patch"], Kite: ["get"] },
  succeeds: ["old-kites"],
  reconcile: () => ({}),
});
const flock = all(Kite).function({ name: "flock", verbs: { Kite: ["list"] }, reconcile: () => ({}) });
const verbsOf = (rules: ReturnType<typeof rulesOf>, resource: string): readonly string[] | undefined =>
  rules.find(({ resources }) => resources.includes(resource))?.verbs;

class Part extends defineDynamic("part") {}

describe("rights by verb", () => {
  it("are those that the function says, and all of the others where it says nothing", () => {
    const rules = rulesOf(kites);
    assert.deepEqual(verbsOf(rules, "configmaps"), ["create", "get", "patch"]);
    assert.deepEqual(verbsOf(rules, "deployments"), ["create", "delete", "get", "list", "patch"]);
  });

  it("keep what the runner itself needs of a key", () => {
    assert.deepEqual(verbsOf(rulesOf(kites), "kites"), ["get", "list"]);
    assert.deepEqual(verbsOf(rulesOf(flock), "kites"), ["list"]);
  });

  it("name what is missing for an effect", () => {
    const body = { metadata: { name: "a", namespace: "b" } };
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...body.metadata, uid: "u" } };
    const missing = (effect: "apply" | "remove"): string | undefined =>
      missingFor({ effect, kind: ConfigMap, body, object } as never, kites, rightsOf(kites));
    assert.equal(missing("apply"), undefined);
    assert.equal(missing("remove"), 'verbs: { ConfigMap: ["delete"] }');
  });

  it("name the line of the declaration that an effect lacks altogether", () => {
    const owner = { apiVersion: "rights.example.org/v1", kind: "Kite", metadata: { name: "k", uid: "u" } };
    const missing = (plan: object): string | undefined =>
      missingFor({ kind: Job, ...plan } as never, kites, rightsOf(kites));
    assert.equal(missing({ effect: "apply", owner }), "owns: [Job]");
    assert.equal(missing({ effect: "create", owner }), "owns: [Job]");
    for (const effect of ["apply", "create", "replace", "remove", "patch", "status"])
      assert.equal(missing({ effect }), "writes: [Job]", effect);
    assert.equal(missing({ effect: "replace", kind: Deployment }), 'verbs: { Deployment: ["update"] }');
    assert.equal(missing({ effect: "patch", kind: Deployment }), undefined);
    assert.equal(missing({ effect: "patch", kind: Kite }), undefined, "a key may always be patched");
    assert.equal(missing({ effect: "emit", event: { id: "kite.flown" } }), "emits: [kite.flown]");
    assert.equal(missing({ effect: "call", port: { id: "weather" } }), "uses: [weather]");
    assert.equal(missing({ effect: "note" }), undefined);
  });

  it("to run commands in Pods of a slot are there where it admits Pods", () => {
    const runner = each(Kite).function({
      name: "runner",
      writes: [unwatched(Part, "a test")],
      executes: { why: "a test", podsOf: Part },
      reconcile: () => ({}),
    });
    const rules = (...admitted: readonly string[]) => executionRulesOf(runner, new Map([["part", admitted]]));
    const exec = { apiGroups: [""], resources: ["pods/exec"], verbs: ["create", "get"] };
    for (const admitted of ["pods", "*", "*."]) assert.deepEqual(rules(admitted), [exec], admitted);
    assert.deepEqual(rules("configmaps", "*.apps"), []);
    assert.ok(!JSON.stringify(rulesOf(runner)).includes("pods/exec"));
    const anywhere = each(Kite).function({ name: "anywhere", executes: "a test", reconcile: () => ({}) });
    assert.deepEqual(rulesOf(anywhere).slice(-2, -1), [exec]);
    assert.deepEqual(executionRulesOf(anywhere, new Map()), []);
  });

  it("to follow what is waited for never are rights to Secrets", () => {
    const keeper = each(Kite).function({
      name: "keeper",
      reads: [awaited(Part, "a test")],
      reconcile: () => ({}),
    });
    const followed = (...admitted: readonly string[]): readonly string[] =>
      awaitedRulesOf(keeper, new Map([["part", admitted]])).flatMap(({ apiGroups, resources }) =>
        apiGroups.flatMap((group) => resources.map((resource) => `${resource}.${group}`)),
      );
    const CRDS = "customresourcedefinitions.apiextensions.k8s.io";
    assert.deepEqual(followed("secrets"), []);
    assert.deepEqual(followed("secrets", "services"), ["services.", CRDS]);
    assert.deepEqual(followed("*.example.org"), ["*.example.org", CRDS]);
    for (const wide of ["*", "*."]) {
      const all = followed(wide);
      assert.ok(all.includes("pods.") && all.includes("persistentvolumeclaims."), wide);
      const tells = all.filter((one) => ["secrets.", "*.", "*.*"].includes(one));
      assert.deepEqual(tells, [], wide);
    }
    assert.ok(followed("*").includes("*.apps"));
    assert.ok(followed("*", "*.example.org").includes("*.example.org"));
  });

  it("are more while a predecessor's objects are taken over", () => {
    assert.deepEqual(takeOverRulesOf(kites), [
      { apiGroups: ["rights.example.org"], resources: ["kites"], verbs: ["patch"] },
    ]);
    assert.deepEqual(takeOverRulesOf(flock), []);
  });
});
