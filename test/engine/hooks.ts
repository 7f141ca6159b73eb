import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "vitest";
import * as z from "zod";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { installKinds } from "../../infra/testing/install-crds.ts";
import { mortalClient } from "../../infra/testing/mortal-client.ts";
import { startTestApi, type TestApi } from "../../infra/testing/test-api.ts";
import { wrapClient } from "../../infra/testing/wrapped-client.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { create, defineKind, defineSystem, hook, patch } from "../../shared/function/index.ts";
import { configuredHooks } from "../../shared/host/configuration.ts";
import { questionIngress } from "../../shared/host/http/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap } from "../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { silent } from "../../shared/log/log.ts";

/** A herd that moves to another meadow once its keepers are ready for that. */
class Herd extends defineKind({
  group: "hooks.example.org",
  version: "v1",
  kind: "Herd",
  scope: "Namespaced",
  fields: { spec: z.object({ asked: z.string().optional() }) },
  status: z.object({ readyFor: z.string().optional() }),
  engineOwned: (it) => ({ asked: it.spec.asked }),
}) {}

const answerSchema = z.object({
  status: z.enum(["Success", "Failure"]),
  retryAfterSeconds: z.int().optional(),
  message: z.string().optional(),
});
const beforeMove = hook({
  name: "before-move",
  requestHook: { apiVersion: "hooks.example.org/v1", hook: "BeforeMove" },
  request: z.looseObject({ herd: z.string(), meadow: z.int() }),
  response: answerSchema,
}).function({
  writes: [Herd],
  verbs: { Herd: ["get", "patch"] },
  observe: async ({ request, read }) => ({
    herd: await read.get(Herd, { name: request.herd, namespace: "default" }),
  }),
  // A question about a meadow that lies behind asks for nothing any more.
  store: ({ request, herd }) =>
    herd === undefined || request.meadow <= Number(herd.spec.asked ?? 0)
      ? undefined
      : patch(Herd, herd, { engine: { asked: String(request.meadow) } }),
  answer: ({ request, herd }) =>
    herd === undefined || request.meadow <= Number(herd.status?.readyFor ?? 0)
      ? { status: "Success" }
      : { status: "Success", retryAfterSeconds: 10 },
  failed: ({ code }) => ({ status: "Failure", message: code }),
});
const noted = hook({
  name: "noted",
  request: z.object({ name: z.string() }),
  response: z.object({ since: z.string() }),
}).function({
  writes: [ConfigMap],
  observe: async ({ request, read }) => ({
    map: await read.get(ConfigMap, { name: request.name, namespace: "default" }),
  }),
  store: ({ request, map }) =>
    map === undefined
      ? create(ConfigMap, {
          metadata: { name: request.name, namespace: "default" },
          data: { asked: request.name },
        })
      : undefined,
  answer: ({ map }) => ({ since: map?.metadata.uid ?? "" }),
});
const restless = hook({
  name: "restless",
  request: z.object({ herd: z.string() }),
  response: answerSchema,
}).function({
  writes: [Herd],
  observe: async ({ request, read }) => ({
    herd: await read.get(Herd, { name: request.herd, namespace: "default" }),
  }),
  store: ({ herd }) => herd && patch(Herd, herd, { engine: { asked: herd.spec.asked === "1" ? "2" : "1" } }),
  answer: () => ({ status: "Success" }),
  failed: ({ code }) => ({ status: "Failure", message: code }),
});
const system = defineSystem({ name: "herds", functions: [], hooks: [beforeMove, noted, restless] });

const HERDS = resourceOf(Herd);
const FIELD_MANAGER = { fieldManager: "tester" };
const WAIT = { status: "Success", retryAfterSeconds: 10 };
const GO = { status: "Success" };

/** Hooks, asked by many at once, again, late and by the dying. */
export function hookSuite(kind: "local" | "real"): void {
  const skip = kind === "real" ? skipWithoutControlPlane() : false;
  describe(`hooks on the ${kind} API server`, { skip: skip !== false }, () => {
    let api: TestApi;
    let client: KubeClient;
    let count = 0;

    beforeAll(async () => {
      api = await startTestApi({ api: kind, controllers: false });
      client = api.client;
      await installKinds(client, [Herd]);
    });
    afterAll(() => api?.stop());

    /** A host that answers, with a client of its own. */
    const host = (through: KubeClient = api.newClient()) => {
      const handler = questionIngress({
        hooks: configuredHooks([system]),
        client: through,
        clock: systemClock,
        log: silent,
      });
      return async (path: string, body: object): Promise<Record<string, unknown>> => {
        const request = new Request(`https://serve${path}`, {
          method: "POST",
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        });
        const sent = (await (await handler(request)).json()) as Record<string, unknown>;
        const { apiVersion: _, kind: __, ...answer } = sent;
        return answer;
      };
    };
    const asks = (through?: KubeClient) => {
      const post = host(through);
      return (herd: string, meadow: number) =>
        post("/hooks.example.org/v1/beforemove/before-move", { herd, meadow });
    };
    const make = async (): Promise<string> => {
      const name = `herd-${++count}`;
      const object = {
        apiVersion: "hooks.example.org/v1",
        kind: "Herd",
        metadata: { name, namespace: "default" },
        spec: {},
      };
      await client.create(HERDS, object, FIELD_MANAGER);
      return name;
    };
    const herd = async (name: string): Promise<KubeObject> => {
      const found = await client.get(HERDS, { name, namespace: "default" });
      assert.ok(found);
      return found;
    };
    const beReady = (name: string, meadow: number): Promise<KubeObject> =>
      client.patch(
        HERDS,
        { name, namespace: "default" },
        "merge",
        { status: { readyFor: String(meadow) } },
        { ...FIELD_MANAGER, subresource: "status" },
      );

    it("store once that fifty asked at once, and give all of them one answer", async () => {
      const name = await make();
      const [one, other] = [asks(), asks()];
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? one : other)(name, 1)),
      );
      assert.deepEqual(
        new Set(answers.map((answer) => JSON.stringify(answer))),
        new Set([JSON.stringify(WAIT)]),
      );
      const { spec, metadata } = await herd(name);
      assert.deepEqual(spec, { asked: "1" });
      assert.equal(metadata.generation, 2);
    });

    it("let go once the work is done, and change nothing where they are asked again or late", async () => {
      const name = await make();
      const ask = asks();
      assert.deepEqual(await ask(name, 2), WAIT);
      const { metadata } = await beReady(name, 2);
      const again = await Promise.all([2, 2, 1, 2, 1].map((meadow) => ask(name, meadow)));
      assert.deepEqual(again, [GO, GO, GO, GO, GO]);
      assert.equal((await herd(name)).metadata.resourceVersion, metadata.resourceVersion);
      assert.deepEqual(await ask(name, 3), WAIT);
      assert.deepEqual(await ask(name, 2), GO);
      assert.deepEqual((await herd(name)).spec, { asked: "3" });
    });

    it("do not hold up what is nobody's", async () => {
      assert.deepEqual(await asks()("nobody", 1), GO);
    });

    it("whose host dies after the write was stored are answered by the next, which writes nothing", async () => {
      const name = await make();
      const mortal = mortalClient(api.newClient(), 1, () => undefined);
      assert.deepEqual(await asks(mortal.client)(name, 1), { status: "Failure", message: "KUBE_ABORTED" });
      const { metadata, spec } = await herd(name);
      assert.deepEqual(spec, { asked: "1" });
      assert.deepEqual(await asks()(name, 1), WAIT);
      assert.equal((await herd(name)).metadata.resourceVersion, metadata.resourceVersion);
    });

    it("decide anew where another writes between read and write", async () => {
      const name = await make();
      let others = 3;
      const through = wrapClient(api.newClient(), async (request, send) => {
        if (request.write && others-- > 0)
          await client.patch(
            HERDS,
            { name, namespace: "default" },
            "merge",
            { metadata: { labels: { other: String(others) } } },
            FIELD_MANAGER,
          );
        return send();
      });
      assert.deepEqual(await asks(through)(name, 1), WAIT);
      const { spec, metadata } = await herd(name);
      assert.deepEqual(spec, { asked: "1" });
      assert.deepEqual(metadata.labels, { other: "0" });
    });

    it("make one object however many ask", async () => {
      const post = host();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => post("/hooks/noted", { name: "noted-1" })),
      );
      const made = await client.get(resourceOf(ConfigMap), { name: "noted-1", namespace: "default" });
      assert.ok(made?.metadata.uid);
      assert.deepEqual(new Set(answers.map(({ since }) => since)), new Set([made.metadata.uid]));
    });

    it("that would store for ever end, and say so", async () => {
      const name = await make();
      assert.deepEqual(await host()("/hooks/restless", { herd: name }), {
        status: "Failure",
        message: "HOOK_UNSETTLED",
      });
    });
  });
}
