import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it, onTestFinished } from "vitest";
import * as z from "zod";
import { answerHere, type DevAdmissions } from "../../infra/cli/dev/admissions.ts";
import {
  configurationResource,
  register,
  unregister,
  webhookConfigurations,
} from "../../infra/systems/webhooks.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { installKinds } from "../../infra/testing/install-crds.ts";
import { startTestApi, type TestApi } from "../../infra/testing/test-api.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { admission, allow, defineKind, defineSystem, deny } from "../../shared/function/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap } from "../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { silent } from "../../shared/log/log.ts";

/** A rocket that is refuelled by one at a time: who edits its orders starts a run, and while one stands nobody else may. */
class Rocket extends defineKind({
  group: "admission.example.org",
  version: "v1",
  kind: "Rocket",
  scope: "Namespaced",
  fields: {
    spec: z.object({
      orders: z.record(z.string(), z.string()).optional(),
      fuel: z.number().optional(),
      run: z.object({ uid: z.string(), for: z.string() }).optional(),
    }),
  },
  status: z.object({ done: z.string().optional() }),
  engineOwned: (it) => ({ run: it.spec.run }),
}) {}

const orderOf = (rocket: {
  readonly spec: { readonly orders?: Record<string, string> | undefined };
}): string =>
  Object.entries(rocket.spec.orders ?? {})
    .filter(([name]) => name !== "seen")
    .map(([name, value]) => `${name}=${value}`)
    .join(",");

const launch = (whenDown: "deny" | "allow") =>
  admission("launch-control", Rocket, ["create", "update", "delete"]).function({
    reads: [ConfigMap],
    whenDown,
    admits: (it) => ({ orders: it.spec.orders }),
    observe: async ({ read, object, old }) => ({
      rules: await read.get(ConfigMap, { name: "rules", namespace: (object ?? old).metadata.namespace }),
    }),
    admit: ({ operation, object, old, rules, dryRun }, { uid }) => {
      if (operation === "delete")
        return old.spec.run === undefined ? allow() : deny("it is being fuelled", 409);
      const allowed = rules?.data?.orders?.split(",");
      const stray = Object.keys(object.spec.orders ?? {}).find((name) => allowed?.includes(name) === false);
      if (stray !== undefined) return deny(`nobody knows the order "${stray}"`, 422);
      const before = operation === "update" ? old : undefined;
      if (before !== undefined && orderOf(before) === orderOf(object)) return allow();
      if (before?.spec.run !== undefined)
        return deny(`a run for ${before.spec.run.for} stands; wait for its end`, 409);
      if (orderOf(object) === "") return allow({ defaults: { spec: { fuel: 10 } } });
      return allow(
        {
          engine: { run: { uid: uid("run"), for: orderOf(object) } },
          labels: { "admission.example.org/run": "stands" },
          entries: { orders: { seen: "yes" } },
          finalizers: ["admission.example.org/launch"],
        },
        dryRun ? ["nothing starts"] : [],
      );
    },
  });
const systemWith = (whenDown: "deny" | "allow") =>
  defineSystem({ name: "rockets", functions: [], admissions: [launch(whenDown)] });

const ROCKETS = resourceOf(Rocket);
const FIELD_MANAGER = { fieldManager: "tester" };

/** Admissions, asked by an API server over TLS. */
export function admissionSuite(kind: "local" | "real"): void {
  const skip = kind === "real" ? skipWithoutControlPlane() : false;
  describe(`admissions on the ${kind} API server`, { skip: skip !== false }, () => {
    let api: TestApi;
    let client: KubeClient;
    let admissions: DevAdmissions;
    let count = 0;
    const rocket = (name: string, spec: object = {}): KubeObject => ({
      apiVersion: "admission.example.org/v1",
      kind: "Rocket",
      metadata: { name, namespace: "default" },
      spec,
    });
    const make = async (spec: object = {}): Promise<KubeObject> =>
      client.create(ROCKETS, rocket(`rocket-${++count}`, spec), FIELD_MANAGER);
    const edit = (
      name: string,
      orders: object,
      options: { readonly dryRun?: true } = {},
    ): Promise<KubeObject> =>
      client.patch(
        ROCKETS,
        { name, namespace: "default" },
        "merge",
        { spec: { orders } },
        { ...FIELD_MANAGER, ...options },
      );
    const specOf = async ({ metadata: { name } }: KubeObject): Promise<Record<string, unknown>> =>
      (await client.get(ROCKETS, { name, namespace: "default" }))?.spec as Record<string, unknown>;
    const refusal = async (write: Promise<unknown>): Promise<KubeError> => {
      const refused = await write.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.ok(refused instanceof KubeError, "the write went through");
      return refused;
    };
    /** The API server follows webhook configurations with a little delay. */
    const untilAsked = (): Promise<unknown> =>
      eventually("the admission is asked", async () => {
        const { spec } = await client.create(ROCKETS, rocket("probe"), { ...FIELD_MANAGER, dryRun: true });
        return (spec as { readonly fuel?: number }).fuel === 10;
      });

    beforeAll(async () => {
      api = await startTestApi({ api: kind, controllers: false });
      client = api.client;
      await installKinds(client, [Rocket]);
      admissions = await answerHere({
        client: api.newClient(),
        systems: [systemWith("deny")],
        clock: systemClock,
        log: silent,
      });
      await untilAsked();
    });
    afterAll(async () => {
      await admissions?.stop();
      await api?.stop();
    });

    it("change what nobody but the engine decides", async () => {
      const made = await make({ orders: { water: "1" } });
      const { spec, metadata } = made as KubeObject & { readonly spec: Record<string, unknown> };
      assert.match((spec.run as { uid: string }).uid, /^[0-9a-f-]{36}$/);
      assert.deepEqual(spec, {
        orders: { water: "1", seen: "yes" },
        run: { uid: (spec.run as { uid: string }).uid, for: "water=1" },
      });
      assert.deepEqual(metadata.finalizers, ["admission.example.org/launch"]);
      assert.deepEqual(metadata.labels, { "admission.example.org/run": "stands" });
      assert.equal(((await make()).spec as { fuel?: number }).fuel, 10);
    });

    it("deny by our code and text, after what they read", async () => {
      await client.create(
        resourceOf(ConfigMap),
        {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: "rules", namespace: "default" },
          data: { orders: "water,seen" },
        },
        FIELD_MANAGER,
      );
      onTestFinished(
        async () =>
          void (await client.delete(
            resourceOf(ConfigMap),
            { name: "rules", namespace: "default" },
            { uid: undefined },
          )),
      );
      const { status } = await refusal(make({ orders: { sand: "1" } }));
      assert.equal(status?.code, 422);
      assert.equal(
        status?.message,
        'admission webhook "launch-control.rockets.reveille.dev" denied the request: nobody knows the order "sand"',
      );
    });

    it("deny a deletion", async () => {
      const { metadata } = await make({ orders: { water: "1" } });
      const gone = client.delete(
        ROCKETS,
        { name: metadata.name, namespace: "default" },
        { uid: metadata.uid },
      );
      assert.match((await refusal(gone)).status?.message ?? "", /it is being fuelled$/);
    });

    it("decide a dry run, which stores nothing", async () => {
      const options = { ...FIELD_MANAGER, dryRun: true };
      const { spec } = await client.create(ROCKETS, rocket("dry", { orders: { water: "1" } }), options);
      assert.equal((spec as { run?: { for: string } }).run?.for, "water=1");
      assert.equal(await client.get(ROCKETS, { name: "dry", namespace: "default" }), undefined);
    });

    it("of fifty edits of one object at once let one win, and tell the others why", async () => {
      const made = await make();
      const edits = await Promise.allSettled(
        Array.from({ length: 50 }, (_, index) => edit(made.metadata.name, { [`by-${index}`]: "1" })),
      );
      const won = edits.flatMap((one, index) => (one.status === "fulfilled" ? [index] : []));
      assert.equal(won.length, 1);
      const { run, orders } = await specOf(made);
      assert.deepEqual(orders, { [`by-${won[0]}`]: "1", seen: "yes" });
      assert.equal((run as { for: string }).for, `by-${won[0]}=1`);
      const told = edits.flatMap((one) => (one.status === "rejected" ? [one.reason as KubeError] : []));
      for (const { status } of told) {
        assert.equal(status?.code, 409);
        assert.equal(
          status?.message,
          `admission webhook "launch-control.rockets.reveille.dev" denied the request: a run for by-${won[0]}=1 stands; wait for its end`,
        );
      }
      assert.equal(told.length, 49);
    });

    it("that are down refuse every write of fifty, and lose none where a function checks again", async () => {
      const made = await make();
      const fifty = (): Promise<PromiseSettledResult<unknown>[]> =>
        Promise.allSettled(
          Array.from({ length: 50 }, async (_, index) => {
            for (;;)
              try {
                return await edit(made.metadata.name, { [`by-${index}`]: "1" });
              } catch (thrown) {
                // The real server gives up after five conflicts of a patch with others.
                if (!(thrown instanceof KubeError) || thrown.kind !== "stale") throw thrown;
              }
          }),
        );
      const down = (whenDown: "deny" | "allow") =>
        webhookConfigurations([systemWith(whenDown)], { at: { url: "https://127.0.0.1:1" } });
      await register(client, down("deny"));
      // A write that stores nothing: until the API server follows, the admission that still stands lets it through.
      await eventually("nobody answers", async () =>
        edit(made.metadata.name, {}, { dryRun: true }).then(
          () => false,
          ({ code }) => code === "KUBE_WEBHOOK",
        ),
      );
      const refused = await fifty();
      assert.deepEqual(
        refused.map(({ status }) => status),
        refused.map(() => "rejected"),
      );
      assert.deepEqual(await specOf(made), { fuel: 10 });
      await register(client, down("allow"));
      await eventually("nobody needs to answer", async () =>
        edit(made.metadata.name, {}, { dryRun: true }).then(
          () => true,
          () => false,
        ),
      );
      assert.deepEqual(
        (await fifty()).filter(({ status }) => status === "rejected"),
        [],
      );
      const { orders, run } = await specOf(made);
      assert.equal(Object.keys(orders as object).length, 50);
      assert.equal(run, undefined);
      await admissions.use([systemWith("deny")]);
      await untilAsked();
    });

    it("are asked no more once they are gone", async () => {
      await unregister(client);
      const [configuration] = webhookConfigurations([systemWith("deny")], {
        at: { url: "https://127.0.0.1:1" },
      });
      assert.ok(configuration);
      const { name } = configuration.metadata;
      assert.equal(await client.get(configurationResource(configuration), { name }), undefined);
      const orders = { sand: "1" };
      await eventually("the write goes through as it is", async () => {
        const { spec } = await client.create(ROCKETS, rocket("free", { orders }), {
          ...FIELD_MANAGER,
          dryRun: true,
        });
        return (spec as { run?: unknown }).run === undefined;
      });
    });
  });
}
