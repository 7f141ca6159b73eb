import assert from "node:assert/strict";
import { describe, test } from "vitest";
import * as z from "zod";
import { defineKind } from "../kind.ts";
import type { KubeObject } from "../object.ts";
import { keepsOf, unsaid } from "./keeps.ts";
import { prepareApply } from "./prepare.ts";
import { object } from "./test-objects.ts";

class Board extends defineKind({
  group: "fair.example.com",
  version: "v1",
  kind: "Board",
  scope: "Cluster",
  fields: {
    spec: z.object({
      hint: z.object({ text: z.string().optional() }).optional(),
      inside: z.looseObject({}).meta({ "x-kubernetes-embedded-resource": true }).nullable().optional(),
    }),
  },
  status: z.object({
    offers: z.array(z.string()).nullable(),
    steps: z.array(z.object({ from: z.string(), to: z.string().nullable(), note: z.string().optional() })),
    more: z.array(z.string()).optional(),
  }),
}) {}

const board = (rest: Readonly<Record<string, unknown>>): KubeObject => ({
  apiVersion: "fair.example.com/v1",
  kind: "Board",
  metadata: { name: "b", labels: {} },
  ...rest,
});
const prepared = (rest: Readonly<Record<string, unknown>>): KubeObject =>
  prepareApply(board(rest), { custom: true, keeps: keepsOf(Board) });

describe("what of nulls and empties is sent", () => {
  test("null where the schema says nullable, also inside a list; elsewhere it goes", () =>
    assert.deepEqual(
      prepared({
        status: { offers: null, steps: [{ from: "a", to: null, note: null }], more: null },
      }).status,
      { offers: null, steps: [{ from: "a", to: null }] },
    ));
  test("an empty map or list where it is required; elsewhere it goes", () => {
    assert.deepEqual(prepared({ spec: { hint: {} } }).spec, {});
    assert.deepEqual(prepared({ status: { offers: [], steps: [], more: [] } }).status, {
      offers: [],
      steps: [],
    });
  });
  test("each empty of an object that stands whole in a field, but for those under its metadata", () =>
    assert.deepEqual(
      prepared({
        spec: {
          inside: {
            metadata: { labels: {}, name: "i" },
            spec: {},
            more: { list: [], none: null, map: { a: {} } },
          },
        },
      }).spec,
      { inside: { metadata: { name: "i" }, spec: {}, more: { list: [], map: { a: {} } } } },
    ));
  test("nothing empty under metadata", () => assert.deepEqual(prepared({}).metadata, { name: "b" }));
  test("without a schema nothing empty stays", () =>
    assert.deepEqual(prepareApply(board({ spec: {} }), { custom: true }).spec, undefined));
  test("null is said for another writer's required part until that writer says more", () => {
    assert.deepEqual(unsaid(Board, { steps: [] }, undefined), { offers: null });
    assert.deepEqual(unsaid(Board, { steps: [] }, { offers: null }), { offers: null });
    assert.deepEqual(unsaid(Board, { steps: [] }, { offers: ["x"] }), {});
    assert.deepEqual(unsaid(Board, { offers: ["y"] }, undefined), {});
  });
});

test("a body is prepared: nulls, empties and the server's own fields go, spellings of equal quantities stay", () => {
  const body = object(
    {
      spec: {
        a: null,
        map: {},
        list: [],
        deep: { map: { none: undefined } },
        items: [{}, { b: null, resources: { limits: { cpu: "1000m" } } }],
        zero: 0,
        no: false,
        text: "",
      },
    },
    {
      labels: {},
      finalizers: [],
      annotations: { a: "" },
      managedFields: [],
      generation: 3,
      creationTimestamp: null,
    },
  );
  assert.deepEqual(
    prepareApply(body, { custom: true }),
    object(
      { spec: { items: [{}, { resources: { limits: { cpu: "1000m" } } }], zero: 0, no: false, text: "" } },
      { annotations: { a: "" } },
    ),
  );
  assert.deepEqual(prepareApply(body, { custom: false }).spec, {
    map: {},
    list: [],
    deep: { map: {} },
    items: [{}, { resources: { limits: { cpu: "1000m" } } }],
    zero: 0,
    no: false,
    text: "",
  });
  const standing = object({
    spec: { containers: [{ name: "b" }, { name: "a", resources: { limits: { cpu: "1", memory: "1Gi" } } }] },
  });
  const wanted = object({
    spec: { containers: [{ name: "a", resources: { limits: { cpu: "1000m", memory: "1025Mi" } } }] },
  });
  assert.deepEqual(prepareApply(wanted, { custom: false, live: standing }).spec, {
    containers: [{ name: "a", resources: { limits: { cpu: "1", memory: "1025Mi" } } }],
  });
  assert.deepEqual(prepareApply(wanted, { custom: true, live: standing }).spec, wanted.spec);
});
