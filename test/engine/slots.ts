import assert from "node:assert/strict";
import { describe, it, type TestContext } from "vitest";
import * as z from "zod";
import {
  apply,
  create,
  defineDynamic,
  defineSystem,
  each,
  inOrder,
  remove,
  replace,
  unwatched,
} from "../../index.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { startStack } from "../../infra/testing/stack.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { System, Unstructured } from "../../shared/function/index.ts";
import { objectKey } from "../../shared/function/key.ts";
import { configuredFunctions } from "../../shared/host/configuration.ts";
import { dryRun } from "../../shared/host/console/dry-run.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ClusterRole } from "../../shared/kube/kinds/cluster-role.ts";
import { CustomResourceDefinition } from "../../shared/kube/kinds/custom-resource-definition.ts";
import { Deployment } from "../../shared/kube/kinds/deployment.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { Tank, tank } from "./kinds.ts";
import { at, MAPS, TANKS } from "./stage.ts";

class Part extends defineDynamic("part") {}

type Manifest = Unstructured & {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
};
const NOW = "2026-01-15T10:00:00.000Z";
const ROLES = resourceOf(ClusterRole);

/** Applies what it is given, in order; what is marked so is created, replaced or removed instead. */
const system = (manifests: readonly Manifest[]): System => {
  const fitter = each(Tank).function({
    name: "fitter",
    writes: [unwatched(Part, "a test asks for each pass")],
    verbs: { part: ["get", "list", "create", "patch", "update", "delete"] },
    adopts: { part: "what a manifest names is the fitter's, whoever made it" },
    observe: async ({ read }) => ({
      live: await Promise.all(
        manifests.map(async ({ apiVersion, kind, metadata: { name, namespace, annotations } }) =>
          annotations?.how !== undefined && (await read.knows(Part, { apiVersion, kind }))
            ? read.object(Part, { apiVersion, kind, name, namespace })
            : undefined,
        ),
      ),
    }),
    reconcile: ({ live, self }) => {
      const work = inOrder(
        ...manifests.map((manifest, index) => {
          const now = live[index];
          switch (manifest.metadata.annotations?.how) {
            case "create":
              return create(Part, manifest);
            case "replace":
              return now === undefined ? create(Part, manifest) : replace(Part, now, manifest);
            case "remove":
              return now === undefined ? [] : remove(Part, now);
            default:
              return apply(Part, manifest, { force: true });
          }
        }),
      );
      return {
        effects: work,
        conclude: (results) => {
          const [failed] = results.failed;
          return {
            status: {
              observedGeneration: self.metadata.generation,
              ...(failed !== undefined && { error: `${failed.error.code}: ${failed.error.message}` }),
            },
          };
        },
      };
    },
  });
  return defineSystem({
    name: "fittings",
    functions: [fitter],
    config: z.object({ kinds: z.array(z.string()).default([]) }),
    admits: (config) => ({ part: config.kinds }),
  });
};
const admitting = (...kinds: readonly string[]) => ({ configuration: { fittings: { kinds } } });

const map = (name: string, entries: object, how?: string): Manifest => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", ...(how !== undefined && { annotations: { how } }) },
  data: entries,
});
const gear = {
  apiVersion: "slots.example.org/v1",
  kind: "Gear",
  metadata: { name: "one" },
  spec: { teeth: 12 },
};
const gearDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gears.slots.example.org" },
  spec: {
    group: "slots.example.org",
    scope: "Cluster",
    names: { kind: "Gear", plural: "gears", singular: "gear", listKind: "GearList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { teeth: { type: "integer" } } } },
          },
        },
      },
    ],
  },
};

/** What slots and `replace` promise, on the local API or the real one. */
export function slotSuite(kind: "local" | "real"): void {
  const skip = kind === "real" ? skipWithoutControlPlane({ controllerManager: true }) : false;
  describe(`kinds that only data names, on the ${kind} API`, { skip: skip !== false }, () => {
    const staged = async (t: TestContext, manifests: readonly Manifest[], kinds: readonly string[]) => {
      const stack = await startStack({ api: kind, systems: [system(manifests)], ...admitting(...kinds) });
      t.onTestFinished(() => stack.stop());
      return {
        stack,
        status: async () =>
          (await stack.client.get(TANKS, at("one")))?.status as Readonly<Record<string, string>> | undefined,
        go: async () => {
          await stack.apply(tank("one", { size: 1 }));
          await stack.settled();
        },
        /** One more pass; how many writes it sent. */
        again: async (): Promise<number> => {
          const before = stack.runs().length;
          await stack.everyKeyOnce();
          return stack
            .runs()
            .slice(before)
            .flatMap(({ writes }) => writes)
            .filter(({ sent }) => sent).length;
        },
      };
    };

    it("are found by discovery, with their scope, and written once", async (t) => {
      const role: Manifest = {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRole",
        metadata: { name: "fitted" },
        rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
      };
      const deployment: Manifest = {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "fitted", namespace: "default" },
        spec: {
          selector: { matchLabels: { app: "x" } },
          template: {
            metadata: { labels: { app: "x" } },
            spec: { containers: [{ name: "x", image: "example.org/x" }] },
          },
        },
      };
      const { stack, go, again, status } = await staged(
        t,
        [map("fitted", { a: "1" }), role, deployment],
        ["configmaps", "*.rbac.authorization.k8s.io", "deployments.apps"],
      );
      await go();
      assert.deepEqual(await status(), { observedGeneration: 1 });
      assert.deepEqual((await stack.client.get(MAPS, at("fitted")))?.data, { a: "1" });
      assert.ok(await stack.client.get(ROLES, { name: "fitted" }));
      assert.ok(await stack.client.get(resourceOf(Deployment), at("fitted")));
      assert.equal(await again(), 0);
    });

    it("are refused with a sentence where the configuration does not admit them", async (t) => {
      const { stack, go, status } = await staged(
        t,
        [map("first", { a: "1" }), { ...map("second", {}), kind: "Secret" }],
        ["configmaps"],
      );
      await go();
      assert.ok(await stack.client.get(MAPS, at("first")), "the first is admitted, and came before");
      assert.match(
        (await status())?.error ?? "",
        /^KIND_NOT_ADMITTED: fitter may not touch Secret of v1 as part: .* Add "secrets" to what it admits/,
      );
    });

    it("may come with the CRD that the same work brings", async (t) => {
      const { stack, go, status } = await staged(
        t,
        [gearDefinition, gear],
        ["customresourcedefinitions.apiextensions.k8s.io", "gears.slots.example.org"],
      );
      await go();
      // The server takes a moment to serve what it has taken.
      for (let pass = 0; pass < 50 && (await status())?.error !== undefined; pass++) {
        assert.match((await status())?.error ?? "", /^KUBE_/);
        await stack.everyKeyOnce();
      }
      assert.equal((await status())?.error, undefined);
      const [served] = await stack.client.discover("slots.example.org", "v1");
      assert.ok(served);
      assert.deepEqual((await stack.client.get(served, { name: "one" }))?.spec, { teeth: 12 });
      // What was known of it is forgotten when it goes.
      await stack.client.delete(
        resourceOf(CustomResourceDefinition),
        { name: "gears.slots.example.org" },
        { uid: undefined },
      );
    });

    it("are replaced whole, guarded by what was read, and only where something differs", async (t) => {
      const { stack, go, again } = await staged(t, [map("whole", { a: "1" }, "replace")], ["configmaps"]);
      const theirs: KubeObject = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: {
          name: "whole",
          namespace: "default",
          labels: { theirs: "stays" },
          finalizers: ["example.org/stays"],
        },
        data: { b: "goes" },
      };
      await stack.client.create(MAPS, theirs, { fieldManager: "somebody" });
      await go();
      const now = await stack.client.get(MAPS, at("whole"));
      assert.deepEqual(now?.data, { a: "1" });
      assert.deepEqual(now?.metadata.labels, { theirs: "stays" });
      assert.deepEqual(now?.metadata.finalizers, ["example.org/stays"]);
      assert.equal(await again(), 0);
      await stack.client.patch(
        MAPS,
        at("whole"),
        "merge",
        { metadata: { finalizers: null } },
        { fieldManager: "somebody" },
      );
    });

    it("are replaced once where the server fills in what the body leaves out", async (t) => {
      const service: Manifest = {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "filled", namespace: "default", annotations: { how: "replace" } },
        spec: { ports: [{ port: 80 }], clusterIP: "None" },
      };
      const { stack, go, again } = await staged(t, [service], ["services"]);
      await stack.apply({ ...service, metadata: { name: "filled", namespace: "default" } } as KubeObject);
      await go();
      assert.equal(await again(), 0);
    });

    it("are shown by a dry run as they would be, and left alone", async (t) => {
      const manifests = [map("dry", { a: "1" }, "replace"), map("new", { a: "1" })];
      const { stack } = await staged(t, manifests, ["configmaps"]);
      await stack.engine.stop();
      await stack.client.create(MAPS, { ...map("dry", { b: "2" }) } as KubeObject, {
        fieldManager: "somebody",
      });
      await stack.apply(tank("one", { size: 1 }));
      const [dry] = await dryRun(
        {
          function: "fitter",
          key: objectKey(Tank, { cluster: stack.cluster, ...at("one") }),
          lane: "urgent",
          cause: { sort: "command", eventId: "dry", type: "command.reconcile", revives: true, at: NOW },
        },
        {
          functions: configuredFunctions([system(manifests)], admitting("configmaps").configuration),
          client: stack.client,
          cluster: stack.cluster,
          clock: systemClock,
        },
        new AbortController().signal,
      );
      assert.deepEqual(
        dry?.diff?.map(({ subject, change }) => [subject, change]),
        [
          ["/ConfigMap/default/dry", "changed"],
          ["/ConfigMap/default/new", "created"],
          ["engine.example.org/Tank/default/one", "changed"],
        ],
      );
      assert.deepEqual((await stack.client.get(MAPS, at("dry")))?.data, { b: "2" });
      assert.equal(await stack.client.get(MAPS, at("new")), undefined);
    });

    it("are created once and never touched again, and removed by their uid", async (t) => {
      const { stack, go, again } = await staged(
        t,
        [map("once", { a: "1" }, "create"), map("gone", { a: "1" }, "remove")],
        ["*."],
      );
      await stack.apply([map("gone", { a: "1" }), { ...map("once", { a: "theirs" }) }]);
      await go();
      assert.deepEqual((await stack.client.get(MAPS, at("once")))?.data, { a: "theirs" });
      assert.equal(await stack.client.get(MAPS, at("gone")), undefined);
      assert.equal(await again(), 0);
    });

    it("tell that the server does not know them, as an error that may pass", async (t) => {
      const { stack, go, status } = await staged(t, [gear], ["*"]);
      await go();
      assert.match((await status())?.error ?? "", /^KUBE_KIND_MISSING: The API server knows no Gear/);
      assert.ok(stack.runs().every(({ outcome }) => outcome === "done"));
    });
  });
}
