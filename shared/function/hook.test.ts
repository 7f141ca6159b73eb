import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { questionRules } from "../runner/rights.ts";
import { create, defineDynamic, defineKind, defineSystem, hook } from "./index.ts";

class Kite extends defineKind({
  group: "hooked.example.org",
  version: "v1",
  kind: "Kite",
  scope: "Namespaced",
  fields: { spec: z.object({ tail: z.number() }) },
  status: z.object({ flies: z.boolean() }),
}) {}
class Part extends defineDynamic("part") {}

const options = { name: "may-fly", request: z.object({}), response: z.object({}) };
const answer = () => ({});
const store = () => undefined;

/** As somebody writes it whose compiler does not look. */
const declare = (over: object, fields: object): unknown =>
  hook({ ...options, ...over }).function({ answer, ...fields } as never);
const refused = (why: RegExp, fields: object, over: object = {}): void =>
  assert.throws(() => declare(over, fields), { code: "DECLARATION_HOOK", message: why });

describe("a hook's declaration", () => {
  it("stores what it is told, or says why not", () => {
    refused(/would answer without having stored/, {});
    refused(/would answer without having stored/, { writes: [Kite] });
    refused(/names no kind/, { store });
    refused(/say why/, { storesNothing: " " });
    refused(/stores nothing, and stores/, { storesNothing: "why", writes: [Kite], store });
  });
  it("is about kinds, a path and a time that there are", () => {
    refused(/is a slot/, { storesNothing: "why", reads: [Part] });
    refused(/from 1 to 30/, { storesNothing: "why" }, { timeoutSeconds: 31 });
    for (const path of ["no", "/events", "/triggers/x", "/hooks.runtime.cluster.x-k8s.io/v1alpha1/discovery"])
      refused(/its path/, { storesNothing: "why" }, { path });
    refused(
      /apiVersion/,
      { storesNothing: "why" },
      { requestHook: { apiVersion: "v1", hook: "BeforeFlight" } },
    );
    refused(
      /requestHook "before"/,
      { storesNothing: "why" },
      {
        requestHook: { apiVersion: "example.org/v1", hook: "before" },
      },
    );
    assert.throws(() => declare({}, { storesNothing: "why", admit: answer }), { code: "DECLARATION_FIELD" });
  });
  it("gives it the path that Cluster API asks at", () => {
    const asked = hook({
      ...options,
      requestHook: { apiVersion: "hooks.runtime.cluster.x-k8s.io/v1alpha1", hook: "BeforeClusterUpgrade" },
    }).function({ storesNothing: "why", answer });
    assert.equal(asked.path, "/hooks.runtime.cluster.x-k8s.io/v1alpha1/beforeclusterupgrade/may-fly");
    assert.equal(hook(options).function({ storesNothing: "why", answer }).path, "/hooks/may-fly");
  });
  it("asks for the rights that it needs, and no others", () => {
    const of = (verbs: object) =>
      questionRules(
        hook(options).function({
          writes: [Kite],
          verbs,
          store: () => create(Kite, { metadata: { name: "k", namespace: "n" }, spec: { tail: 1 } }),
          answer,
        }),
      ).map(({ resources, verbs: granted }) => [...resources, ...granted].join(" "));
    assert.deepEqual(of({}), ["kites create delete get list patch", "kites/status patch"]);
    assert.deepEqual(of({ Kite: ["get", "create"] }), ["kites create get"]);
  });
});

describe("the hooks of a system", () => {
  const of = (name: string, path?: string) =>
    hook({ ...options, name, ...(path !== undefined && { path }) }).function({
      storesNothing: "why",
      answer,
    });
  it("have names and paths of their own", () => {
    const refuse = (why: RegExp, ...hooks: ReturnType<typeof of>[]): void =>
      assert.throws(() => defineSystem({ name: "kites", functions: [], hooks }), {
        code: "DECLARATION_HOOK",
        message: why,
      });
    refuse(/has its name/, of("one"), of("one", "/other"));
    refuse(/is asked at \/same/, of("one", "/same"), of("two", "/same"));
    assert.throws(() => defineSystem({ name: "kites", functions: [], hooks: [of("One")] }), {
      code: "DECLARATION_NAME",
    });
    const { hooks } = defineSystem({ name: "kites", functions: [], hooks: [of("one"), of("two")] });
    assert.deepEqual(
      hooks.map(({ name }) => name),
      ["one", "two"],
    );
  });
});
