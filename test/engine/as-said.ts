import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { apply, awaited, defineDynamic, defineSystem, each, own } from "../../index.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { installCrd } from "../../infra/testing/install-crds.ts";
import { startStack } from "../../infra/testing/stack.ts";
import { startTestApi } from "../../infra/testing/test-api.ts";
import type { Resource } from "../../shared/kube/client.ts";
import { Tank, tank } from "./kinds.ts";
import { at, MAPS, TANKS } from "./stage.ts";

class Part extends defineDynamic("part") {}

const GROUP = "said.example.org";
const definition = (kind: string, scope: "Namespaced" | "Cluster") => {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  properties: {
                    template: {
                      type: "object",
                      properties: {
                        spec: { type: "object", properties: { kept: { type: "string", default: "d" } } },
                        taints: { type: "array", items: { type: "string" } },
                      },
                    },
                    labels: { type: "object", additionalProperties: { type: "string" } },
                  },
                },
              },
            },
          },
        },
      ],
    },
  };
};
const custom = (kind: string, scope: "Namespaced" | "Cluster"): Resource => ({
  group: GROUP,
  version: "v1",
  kind,
  plural: `${kind.toLowerCase()}s`,
  scope,
});
const CLASSES = custom("Class", "Namespaced");
const SHELVES = custom("Shelf", "Cluster");
const SAID = { apiVersion: `${GROUP}/v1` };

/** Applies a class with empties, whose labels go with the second wish, and a child for every scope. */
const renderer = each(Tank).function({
  name: "renderer",
  writes: [awaited(Part, "a test")],
  observe: async ({ read }) => ({
    scopes: await Promise.all(
      ["Class", "Shelf", "Nowhere"].map(
        async (kind) => (await read.knows(Part, { ...SAID, kind }))?.scope ?? "unknown",
      ),
    ),
  }),
  reconcile: ({ self, scopes }) => {
    const { name, namespace } = self.metadata;
    const labels = self.spec.size === 1 ? { a: "1", "b.c/d": "2" } : {};
    const shelf = own(self, Part, { ...SAID, kind: "Shelf", metadata: { name: "shelf" }, spec: {} });
    const shared = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "shared", namespace } };
    return {
      effects: [
        apply(Part, {
          ...SAID,
          kind: "Class",
          metadata: { name, namespace, labels: {} },
          spec: { template: { spec: {}, taints: [] }, labels },
        }),
        shelf,
        own(self, Part, shared, { controller: false }),
      ],
      conclude: (results) => {
        const made = results(shelf);
        const [failed] = results.failed;
        const owner = made.state === "done" && made.ownerless === true ? "without owner" : "with owner";
        const said = failed?.error.message ?? `${scopes.join()} ${owner}`;
        return { status: { observedGeneration: self.metadata.generation, error: said } };
      },
    };
  },
});
const system = defineSystem({
  name: "rendered",
  functions: [renderer],
  config: z.object({ kinds: z.array(z.string()).default([`*.${GROUP}`, "configmaps"]) }),
  admits: (config) => ({ part: config.kinds }),
});

/** What an apply of a slot keeps, on the local API or the real one. */
export function asSaidSuite(kind: "local" | "real"): void {
  const skip = kind === "real" ? skipWithoutControlPlane({ controllerManager: true }) : false;
  describe(`objects of slots are applied as they are said, on the ${kind} API`, {
    skip: skip !== false,
  }, () => {
    it("with their empties, past what would become null, once; owned as far as their scope lets them", async (t) => {
      const api = await startTestApi({ api: kind });
      t.onTestFinished(() => api.stop());
      const { client } = api;
      for (const one of [CLASSES, SHELVES]) await installCrd(client, definition(one.kind, one.scope), one);
      const stack = await startStack({ api, systems: [system] });
      t.onTestFinished(() => stack.engine.stop());
      const statusOf = async () =>
        (await client.get(TANKS, at("one")))?.status as { readonly error?: string };
      const writesOf = async (): Promise<number> => {
        const before = stack.runs().length;
        await stack.everyKeyOnce();
        return stack
          .runs()
          .slice(before)
          .flatMap(({ writes }) => writes)
          .filter(({ sent }) => sent).length;
      };
      await stack.apply(tank("one", { size: 1 }));
      await stack.settled();
      assert.equal((await statusOf()).error, "Namespaced,Cluster,unknown without owner");
      const template = { spec: { kept: "d" }, taints: [] };
      assert.deepEqual((await client.get(CLASSES, at("one")))?.spec, {
        template,
        labels: { a: "1", "b.c/d": "2" },
      });
      const shelf = await client.get(SHELVES, { name: "shelf" });
      assert.deepEqual([shelf?.spec, shelf?.metadata.ownerReferences], [{}, undefined]);
      const shared = await client.get(MAPS, at("shared"));
      assert.deepEqual(
        shared?.metadata.ownerReferences?.map(({ kind: of, controller }) => [of, controller]),
        [["Tank", undefined]],
      );
      assert.equal(await writesOf(), 0);

      await stack.apply(tank("one", { size: 2 }));
      await stack.settled();
      assert.equal((await statusOf()).error, "Namespaced,Cluster,unknown without owner");
      assert.deepEqual((await client.get(CLASSES, at("one")))?.spec, { template, labels: {} });
      assert.equal(await writesOf(), 0);
    });
  });
}
