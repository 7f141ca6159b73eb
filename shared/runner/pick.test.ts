import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { itemOf, leaseOf, runnerOf } from "../../infra/testing/one-run.ts";
import { apply, changed, defineKind, each, unreadableIn } from "../function/index.ts";
import type { KubeClient } from "../kube/client.ts";
import type { KubeObject } from "../kube/object.ts";

class Barn extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Barn",
  scope: "Namespaced",
  fields: {},
}) {}
class Sack extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Sack",
  scope: "Namespaced",
  fields: { spec: z.object({ grain: z.string() }) },
}) {}

const object = (kind: string, name: string, spec?: object): KubeObject => ({
  apiVersion: "unit.example.org/v1",
  kind,
  metadata: { name, namespace: "a", uid: `uid-${name}`, resourceVersion: "5", generation: 1 },
  ...(spec !== undefined && { spec }),
});
const sack = (name: string, grain: unknown): KubeObject => object("Sack", name, { grain });

const counts = (picks: boolean, seen: unknown[] = []) =>
  each(Barn).function({
    name: "counts",
    wakes: [changed(Sack).toEach(() => true)],
    writes: [Sack],
    observe: async ({ read }) => {
      const grains = picks
        ? await read.pick(Sack, { namespace: "a" }, ({ spec }) => spec.grain.slice(0, 3))
        : (await read.list(Sack, { namespace: "a" })).map(({ spec }) => spec.grain.slice(0, 3));
      seen.push(...grains, ...unreadableIn(grains).map(({ path }) => path));
      return { grains };
    },
    reconcile: ({ grains }) => ({
      effects: grains.includes("rye")
        ? apply(Sack, { metadata: { name: "rye", namespace: "a" }, spec: { grain: "wheat" } })
        : [],
    }),
  });

const run = (
  declaration: ReturnType<typeof counts>,
  pages: readonly (readonly KubeObject[])[],
  client: Partial<KubeClient> = {},
) =>
  runnerOf(
    declaration,
    {
      get: async () => object("Barn", "red"),
      pages: async function* () {
        for (const items of pages) yield { items, metadata: { resourceVersion: "9" } };
      },
      ...client,
    },
    { mostHeldBytes: 64 * 1024 },
  )(leaseOf(itemOf("counts", "c/unit.example.org/Barn/a/red")));

describe("what is picked of a list", () => {
  it("is the part of each object of all its pages that can be read; the others are named, and waited for", async () => {
    const seen: unknown[] = [];
    const end = await run(counts(true, seen), [
      [sack("one", "oats"), sack("two", 7)],
      [sack("three", "maize")],
    ]);
    assert.deepEqual(seen, ["oat", "mai", "spec.grain"]);
    assert.ok(end.state === "finished");
    assert.deepEqual(
      end.waits.map(({ name }) => name),
      ["two"],
    );
  });

  it("is all that a run holds of it, however large the objects are", async () => {
    const pages = Array.from({ length: 10 }, (_, page) => [sack(`sack-${page}`, "x".repeat(10 * 1024))]);
    const whole = await run(counts(false), pages);
    assert.ok(whole.state === "failed" && whole.error.code === "READ_TOO_LARGE");
    assert.equal((await run(counts(true), pages)).state, "finished");
  });

  it("is bounded too", async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => sack(`sack-${index}`, "oats"));
    const end = await run(counts(true), [many]);
    assert.ok(end.state === "failed" && end.error.code === "READ_TOO_LARGE", JSON.stringify(end));
  });

  it("is no ground to write over an object that was let go: it is read first, and what follows wakes", async () => {
    const sent: KubeObject[] = [];
    const listed = sack("rye", "rye");
    const metadata = {
      ...listed.metadata,
      resourceVersion: "7",
      annotations: { "reveille.dev/adopt": "counts" },
    };
    const end = await run(counts(true), [[listed]], {
      get: async (_, { name }) => (name === "rye" ? { ...listed, metadata } : object("Barn", "red")),
      apply: async (_, __, body) => {
        sent.push(body);
        return { ...body, metadata: { ...body.metadata, resourceVersion: "8" } };
      },
    });
    assert.ok(end.state === "finished");
    assert.deepEqual(
      sent.map(({ metadata }) => [metadata.uid, metadata.resourceVersion]),
      [["uid-rye", "7"]],
    );
    assert.deepEqual(end.echoes, []);
  });
});
