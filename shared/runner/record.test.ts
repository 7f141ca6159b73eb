import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { itemOf, leaseOf, runnerOf } from "../../infra/testing/one-run.ts";
import { apply, defineKind, each, type FunctionDeclaration, unwatched } from "../function/index.ts";
import type { KubeClient } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";
import { ConfigMap } from "../kube/kinds/config-map.ts";
import type { KubeObject } from "../kube/object.ts";

class Jar extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Jar",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
  status: z.object({ level: z.int() }),
}) {}

const JAR: KubeObject = {
  apiVersion: "unit.example.org/v1",
  kind: "Jar",
  metadata: { name: "j", namespace: "a", uid: "u", resourceVersion: "5", generation: 1 },
  spec: { size: 1 },
};
const map = (name: string, text: string) =>
  apply(ConfigMap, { metadata: { name, namespace: "a" }, data: { text } });

const keeper = each(Jar).function({
  name: "keeper",
  writes: [unwatched(ConfigMap, "nobody else writes it")],
  reconcile: () => {
    const effects = map("work", "done");
    return {
      effects,
      conclude: (results) => ({
        record: map("record", results(effects).state),
        status: { level: 1 },
      }),
    };
  },
});

/** Runs it once on a server that refuses to write the named object; says what was written, in order. */
async function run(
  declaration: FunctionDeclaration,
  refused?: string,
): Promise<{ readonly state: string; readonly code?: string; readonly wrote: readonly string[] }> {
  const wrote: string[] = [];
  const client: Partial<KubeClient> = {
    get: async (_resource, { name }) => (name === "j" ? JAR : undefined),
    apply: async (_resource, { name }, body, options) => {
      if (name === refused)
        throw new KubeError("unavailable", "The server does not answer.", { request: `apply ${name}` });
      const text = (body.data as { readonly text?: string } | undefined)?.text;
      wrote.push([name, options.subresource, text].filter((part) => part !== undefined).join(" "));
      return { ...body, metadata: { ...body.metadata, uid: "u", resourceVersion: "6" } };
    },
    create: async () => JAR,
  };
  const end = await runnerOf(
    declaration,
    client,
  )(leaseOf(itemOf(declaration.name, "c/unit.example.org/Jar/a/j")));
  return { state: end.state, ...(end.state === "failed" && { code: end.error.code }), wrote };
}

describe("what a function keeps of how its effects went", () => {
  it("is written after the effects, with their results, and before the status", async () => {
    assert.deepEqual(await run(keeper), {
      state: "finished",
      wrote: ["work done", "record done", "j status"],
    });
  });

  it("is written where effects failed", async () => {
    const { wrote } = await run(keeper, "work");
    assert.deepEqual(wrote, ["record failed", "j status"]);
  });

  it("fails the run where it cannot be written: no status tells of what would be forgotten", async () => {
    assert.deepEqual(await run(keeper, "record"), {
      state: "failed",
      code: "KUBE_UNAVAILABLE",
      wrote: ["work done"],
    });
  });

  it("belongs to what conclude returns: before the effects there is nothing to keep", async () => {
    const early = { ...keeper, reconcile: () => ({ record: map("record", "early") }) } as FunctionDeclaration;
    const { state, code, wrote } = await run(early);
    assert.deepEqual([state, code, wrote], ["failed", "OUTCOME_INVALID", []]);
  });
});
