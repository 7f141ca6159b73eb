import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { defineKind, defineSystem, each, own } from "../../index.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { startStack } from "../../infra/testing/stack.ts";
import { startTestApi } from "../../infra/testing/test-api.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../shared/kube/kinds/custom-resource-definition.ts";
import { Tank, tank } from "./kinds.ts";
import { at, TANKS } from "./stage.ts";

/** A kind that others bring, in one of two versions. */
class Valve extends defineKind({
  group: "versions.example.org",
  version: ["v2", "v1"],
  kind: "Valve",
  scope: "Namespaced",
  external: true,
  fields: { spec: z.looseObject({ size: z.int().optional() }).optional(), flow: z.int().optional() },
  facts: (it) => ({ flow: it.flow }),
}) {}

const fitter = each(Tank).function({
  name: "fitter",
  owns: [Valve],
  observe: async ({ self, read }) => ({
    valve: await read.get(Valve, { name: self.metadata.name, namespace: self.metadata.namespace }),
  }),
  reconcile: ({ self, valve }) => ({
    effects: own(self, Valve, {
      metadata: { name: self.metadata.name },
      spec: { size: self.spec.size },
    }),
    status: { level: valve?.flow ?? 0, note: valve?.apiVersion ?? "none" },
  }),
});
const system = defineSystem({ name: "versions", functions: [fitter] });

const VALVES = resourceOf(Valve);
const valvesOf = (version: string) => ({ ...VALVES, versions: undefined, version });
const BY = { fieldManager: "somebody" };

/** Serves these versions of the Valve, as its operator does that is installed or upgraded. */
async function serves(client: KubeClient, ...served: readonly string[]): Promise<void> {
  const schema = {
    openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  };
  await client.apply(
    resourceOf(CustomResourceDefinition),
    { name: "valves.versions.example.org" },
    {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "valves.versions.example.org" },
      spec: {
        group: "versions.example.org",
        names: { kind: "Valve", plural: "valves", singular: "valve", listKind: "ValveList" },
        scope: "Namespaced",
        versions: ["v1", "v2"].map((name) => ({
          name,
          served: served.includes(name),
          storage: name === "v1",
          schema,
        })),
      },
    },
    { ...BY, force: true },
  );
  await eventually(`${served.join()} to be served, and no other version`, async () => {
    for (const version of ["v1", "v2"]) {
      const offered = await client.discover("versions.example.org", version);
      const shown = [offered.some(({ kind }) => kind === "Valve"), await answers(client, version)];
      if (shown.some((is) => is !== served.includes(version))) return false;
    }
    return true;
  });
}

/** A real server tells of a version a moment before it answers requests in it. */
async function answers(client: KubeClient, version: string): Promise<boolean> {
  try {
    await client.get(valvesOf(version), at("one"));
    return true;
  } catch (error) {
    if (error instanceof KubeError && error.kind === "kindMissing") return false;
    throw error;
  }
}

/** What a kind of several versions promises, on the local API or the real one. */
export function servedVersionsSuite(kind: "local" | "real"): void {
  const skip = kind === "real" ? skipWithoutControlPlane({ controllerManager: true }) : false;
  describe(`a kind of several versions on the ${kind} API`, {
    skip: skip !== false,
    timeout: 180_000,
  }, () => {
    it("is read, written and watched in the first that is served, whichever that is", async (t) => {
      const api = await startTestApi({ api: kind });
      const { client } = api;
      await serves(client, "v1");
      const stack = await startStack({ api, systems: [system] });
      t.onTestFinished(() => stack.stop());
      const status = async () =>
        z.looseObject({ level: z.int() }).parse((await client.get(TANKS, at("one")))?.status);
      const told = async (): Promise<unknown> => {
        await stack.settled();
        const { level, note } = await status();
        return { level, note };
      };
      const flows = (version: string, flow: number) =>
        client.patch(valvesOf(version), at("one"), "merge", { flow }, BY);

      await stack.apply(tank("one", { size: 3 }));
      await stack.settled();
      await flows("v1", 5);
      assert.deepEqual(await told(), { level: 5, note: "versions.example.org/v1" });
      const valve = await client.get(VALVES, at("one"));
      assert.deepEqual([valve?.apiVersion, valve?.spec], ["versions.example.org/v1", { size: 3 }]);

      const before = stack.runs().length;
      await stack.everyKeyOnce();
      await stack.settled();
      const sent = stack
        .runs()
        .slice(before)
        .flatMap(({ writes }) => writes ?? [])
        .filter((write) => write.sent);
      assert.deepEqual(sent, [], "what is already so is not sent, in whatever version it stands");

      await serves(client, "v2");
      await flows("v2", 8);
      await eventually(
        "the watch to go on in the version that came",
        async () => (await status()).level === 8,
      );
      assert.deepEqual(await told(), { level: 8, note: "versions.example.org/v2" });
      await stack.apply(tank("one", { size: 4 }));
      await stack.settled();
      assert.deepEqual((await client.get(VALVES, at("one")))?.spec, { size: 4 });

      await serves(client, "v1", "v2");
      await flows("v1", 9);
      assert.deepEqual(await told(), { level: 9, note: "versions.example.org/v2" });
    });
  });
}
