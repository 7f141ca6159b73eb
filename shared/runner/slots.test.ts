import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { awaited, defineDynamic, defineKind, defineSystem, each, unwatched } from "../function/index.ts";
import { admittedBy, isAdmitted, rulesOfSlot } from "../function/slots.ts";
import { changed } from "../function/wakes.ts";
import { awaitedRulesOf, rulesOf, slotRulesOf } from "./rights.ts";

class Part extends defineDynamic("part") {}
class Box extends defineKind({
  group: "slots.example.org",
  version: "v1",
  kind: "Box",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
  status: z.object({ done: z.boolean() }),
}) {}
const WHY = "a test";

describe("what a slot admits", () => {
  it("is named as kubectl names resources", () => {
    const apps = { group: "apps", plural: "deployments" };
    const core = { group: "", plural: "configmaps" };
    const cases: readonly (readonly [string, boolean, boolean])[] = [
      ["deployments.apps", true, false],
      ["deployments", false, false],
      ["configmaps", false, true],
      ["*.apps", true, false],
      ["*.", false, true],
      ["*", true, true],
      ["", false, false],
      ["Deployment.apps", false, false],
    ];
    for (const [text, ofApps, ofCore] of cases)
      assert.deepEqual([isAdmitted([text], apps), isAdmitted([text], core)], [ofApps, ofCore], text);
    assert.equal(isAdmitted([], core), false);
    assert.equal(
      isAdmitted(["gears.slots.example.org"], { group: "slots.example.org", plural: "gears" }),
      true,
    );
  });

  it("may be objects of one name, which are read and not written", () => {
    const secrets = { group: "", plural: "secrets" };
    assert.deepEqual(
      ["acme", "other", undefined].map((name) => isAdmitted(["secrets/acme"], secrets, name)),
      [true, false, false],
    );
    assert.equal(isAdmitted(["deployments.apps/web"], { group: "apps", plural: "deployments" }, "web"), true);
    assert.equal(isAdmitted(["secrets"], secrets, "other"), true);
    const named = ["secrets/b", "configmaps", "secrets/a", "deployments.apps/web"];
    assert.deepEqual(rulesOfSlot(named, ["get", "create", "patch"]), [
      { apiGroups: [""], resources: ["configmaps"], verbs: ["create", "get", "patch"] },
      { apiGroups: [""], resources: ["secrets"], resourceNames: ["a", "b"], verbs: ["get"] },
      { apiGroups: ["apps"], resources: ["deployments"], resourceNames: ["web"], verbs: ["get"] },
    ]);
    const waits = each(Box).function({
      name: "w",
      reads: [awaited(Part, WHY)],
      verbs: { part: ["get"] },
      reconcile: () => ({}),
    });
    assert.deepEqual(awaitedRulesOf(waits, new Map([["part", ["secrets", "secrets/acme"]]]))[0], {
      apiGroups: [""],
      resources: ["secrets"],
      resourceNames: ["acme"],
      verbs: ["get", "list", "watch"],
    });
  });

  it("stands in the configuration, at a path that is plain data", () => {
    const system = defineSystem({
      name: "boxes",
      functions: [each(Box).function({ name: "b", writes: [unwatched(Part, WHY)], reconcile: () => ({}) })],
      config: z.object({ parts: z.object({ kinds: z.array(z.string()) }).optional() }),
      admits: (config) => ({ part: config.parts.kinds }),
    });
    assert.deepEqual(system.admits, { part: ["parts", "kinds"] });
    assert.deepEqual(
      admittedBy(system.admits, { parts: { kinds: ["pods"] } }),
      new Map([["part", ["pods"]]]),
    );
    assert.deepEqual(admittedBy(system.admits, {}), new Map([["part", []]]), "silence admits nothing");
  });

  it("becomes rules, a group at a time, and never more than the function does", () => {
    assert.deepEqual(
      rulesOfSlot(["jobs.batch", "cronjobs.batch", "services", "jobs.batch"], ["get", "create"]),
      [
        { apiGroups: [""], resources: ["services"], verbs: ["create", "get"] },
        { apiGroups: ["batch"], resources: ["cronjobs", "jobs"], verbs: ["create", "get"] },
      ],
    );
    assert.deepEqual(rulesOfSlot(["jobs.batch", "*.batch"], ["get"]), [
      { apiGroups: ["batch"], resources: ["*"], verbs: ["get"] },
    ]);
    assert.deepEqual(rulesOfSlot([], ["get"]), []);
  });

  it("lets nobody hand out rights but who may write them", () => {
    const roles = ["roles.rbac.authorization.k8s.io", "clusterrolebindings.rbac.authorization.k8s.io"];
    assert.deepEqual(rulesOfSlot(roles, ["get", "patch"]).at(-1), {
      apiGroups: ["rbac.authorization.k8s.io"],
      resources: ["clusterroles", "roles"],
      verbs: ["bind", "escalate"],
    });
    assert.equal(rulesOfSlot(roles, ["get", "list", "delete"]).length, 1);
    assert.deepEqual(rulesOfSlot(["rolebindings.rbac.authorization.k8s.io"], ["create"]).at(-1)?.verbs, [
      "bind",
    ]);
  });

  it("is granted apart from the function's own role; an update only where it is declared", () => {
    const writes = [unwatched(Part, WHY)];
    const reconcile = () => ({});
    const fitter = each(Box).function({ name: "fitter", writes, reconcile });
    const own = JSON.stringify(rulesOf(fitter));
    assert.ok(!own.includes("pods") && !own.includes('"part"'), own);
    const admitted = new Map([["part", ["pods"]]]);
    assert.deepEqual(slotRulesOf(fitter, admitted), [
      {
        slot: "part",
        rules: [
          { apiGroups: [""], resources: ["pods"], verbs: ["create", "delete", "get", "list", "patch"] },
        ],
      },
    ]);
    const replacer = each(Box).function({
      name: "replacer",
      writes,
      verbs: { part: ["get", "update"] },
      reconcile,
    });
    assert.deepEqual(slotRulesOf(replacer, admitted)[0]?.rules[0]?.verbs, ["get", "update"]);
    assert.deepEqual(slotRulesOf(fitter, new Map()), []);
  });
});

describe("a system with slots", () => {
  const functionWith = (more: object) => each(Box).function({ name: "f", reconcile: () => ({}), ...more });
  const slot = { code: "DECLARATION_SLOT" };

  it("says what they admit", () => {
    const functions = [functionWith({ reads: [unwatched(Part, WHY)] })];
    assert.throws(() => defineSystem({ name: "s", functions }), { ...slot, message: /add admits:/ });
    const config = z.object({ kinds: z.array(z.string()) });
    const admits = (it: { readonly kinds: never }) => ({ stray: it.kinds, part: it.kinds });
    assert.throws(() => defineSystem({ name: "s", functions, config, admits: admits as never }), {
      ...slot,
      message: /"stray" is admitted to/,
    });
  });

  it("never wakes on one, owns one or is keyed by one", () => {
    const mistakes = [
      functionWith({ owns: [Part] }),
      functionWith({ wakes: [changed(Part).toEvery()] }),
      each(Part).function({ name: "f", reconcile: () => ({}) }),
    ];
    for (const one of mistakes)
      assert.throws(() => defineSystem({ name: "s", functions: [one] }), {
        ...slot,
        message: /whose kinds nobody watches/,
      });
  });
});
