import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, onTestFinished, test } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { type Asked, type Decide, type HookServer, startHookServer } from "./hook-server.ts";
import { definition, expectCode, placeOf, widget } from "./objects.ts";
import type { Api, Body } from "./target.ts";

const place = placeOf("webhooks");
const configurations = "/apis/admissionregistration.k8s.io/v1";

interface Registered {
  readonly asked: readonly Asked[];
  /** Since the last look. */
  news(): readonly Asked[];
  /** The label that makes an object the hook's. */
  readonly labels: Readonly<Record<string, string>>;
  readonly name: string;
}

/** Webhooks that the server keeps are called, with the same questions, and their answers count the same. */
export function webhooks(api: () => Api): void {
  let hooks: HookServer;
  let count = 0;

  /** Registers one webhook for the objects with its label, and waits until it is called. */
  const register = async (
    sort: "mutating" | "validating",
    decide: Decide,
    over: Readonly<Record<string, unknown>> = {},
    rule: object = {},
  ): Promise<Registered> => {
    const id = `hook-${++count}`;
    const kind = sort === "mutating" ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
    const path = `${configurations}/${kind.toLowerCase()}s`;
    let active = false;
    const asked = hooks.at(`/${id}`, (one) => (active ? decide(one) : { allowed: true })) as Asked[];
    const name = `${id}.conformance.dev`;
    const hook = {
      name,
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      timeoutSeconds: 5,
      clientConfig: { url: hooks.url(`/${id}`), caBundle: hooks.caBundle },
      objectSelector: { matchLabels: { hook: id } },
      rules: [
        {
          apiGroups: ["", place.group],
          apiVersions: ["*"],
          operations: ["*"],
          resources: ["configmaps", "widgets"],
          ...rule,
        },
      ],
      ...over,
    };
    const metadata = { name: id };
    const body = { apiVersion: "admissionregistration.k8s.io/v1", kind, metadata, webhooks: [hook] };
    await expectCode(201, api().post(path, body));
    onTestFinished(async () => void (await api().delete(`${path}/${id}`)));
    // One that is followed at once shows when those before it are.
    const canary = `hook-canary-${count}`;
    const seen = hooks.at(`/${canary}`, () => ({ allowed: true }));
    const canaryHook = {
      ...hook,
      name: `${canary}.conformance.dev`,
      clientConfig: { url: hooks.url(`/${canary}`), caBundle: hooks.caBundle },
      objectSelector: { matchLabels: { hook: canary } },
      namespaceSelector: {},
      matchConditions: [],
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
    };
    const second = { ...body, metadata: { name: canary }, webhooks: [canaryHook] };
    await expectCode(201, api().post(path, second));
    const probe = configMap(canary, {}, { hook: canary });
    await eventually("the webhooks are active", async () => {
      await api().post(`${place.configMaps}?dryRun=All`, probe);
      return seen.length > 0;
    });
    await api().delete(`${path}/${canary}`);
    active = true;
    let read = asked.length;
    return {
      asked,
      name,
      labels: { hook: id },
      news: () => {
        const news = asked.slice(read);
        read = asked.length;
        return news;
      },
    };
  };
  const configMap = (name: string, data: object, labels: object): Record<string, unknown> => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, labels },
    data,
  });
  const make = (name: string, data: object, labels: object, query = "") =>
    api().post(`${place.configMaps}${query}`, configMap(name, data, labels));
  const at = (name: string): string => `${place.configMaps}/${name}`;

  describe("webhooks", () => {
    beforeAll(async () => {
      hooks = await startHookServer();
      await expectCode(
        201,
        api().post("/api/v1/namespaces", {
          apiVersion: "v1",
          kind: "Namespace",
          metadata: { name: place.namespace },
        }),
      );
      await expectCode(
        201,
        api().post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition(place.group)),
      );
      await eventually("widgets are served", async () => (await api().get(place.widgets)).code === 200);
    });
    afterAll(() => hooks.stop());

    test("deny with their code and text", async () => {
      const { labels, name } = await register("validating", ({ object }) => ({
        allowed: object?.metadata.name === "fine",
        status:
          object?.metadata.name === "coded"
            ? { code: 409, reason: "Conflict", message: "not now – “please”" }
            : object?.metadata.name === "reason"
              ? { reason: "Because" }
              : undefined,
      }));
      const { code, body } = await make("coded", {}, labels);
      assert.deepEqual([code, body.code, body.reason], [409, 409, "Conflict"]);
      assert.equal(body.message, `admission webhook "${name}" denied the request: not now – “please”`);
      const bare = await make("bare", {}, labels);
      assert.equal(bare.code, 400);
      assert.equal(bare.body.message, `admission webhook "${name}" denied the request without explanation`);
      const reason = await make("reason", {}, labels);
      assert.equal(reason.body.message, `admission webhook "${name}" denied the request: Because`);
      await expectCode(201, make("fine", {}, labels));
      assert.equal((await api().get(at("coded"))).code, 404);
    });

    test("change what is stored, before it is validated", async () => {
      const { labels, news } = await register("mutating", () => ({
        allowed: true,
        warnings: ["changed by a hook"],
        patch: [
          { op: "add", path: "/spec/size", value: 3 },
          { op: "add", path: "/metadata/labels/extra", value: "yes" },
          { op: "add", path: "/metadata/finalizers", value: ["conformance.dev/hook"] },
        ],
      }));
      // Without a size the server would refuse it.
      const answer = await api().post(place.widgets, widget(place, "changed", {}, { labels }));
      assert.equal(answer.code, 201, answer.text);
      assert.match(answer.warning ?? "", /299 - "changed by a hook"/);
      const { spec, metadata } = answer.body;
      assert.deepEqual(spec, { size: 3, color: "red" });
      assert.deepEqual(metadata.labels, { ...labels, extra: "yes" });
      assert.deepEqual(metadata.finalizers, ["conformance.dev/hook"]);
      assert.equal(metadata.generation, 1);
      const [asked] = news();
      assert.equal(asked?.operation, "CREATE");
      assert.equal(asked?.object?.metadata.uid, undefined);
      assert.equal(asked?.oldObject, null);
      assert.equal(asked?.namespace, place.namespace);
      assert.deepEqual(asked?.options.kind, "CreateOptions");
      // A finalizer that goes is an update, and so may be kept on.
      const kept = await api().merge(`${place.widgets}/changed`, { metadata: { finalizers: null } });
      assert.deepEqual(kept.body.metadata.finalizers, ["conformance.dev/hook"]);
      assert.equal(kept.body.metadata.generation, 1);
    });

    test("are asked about updates with both objects, and about what changes nothing", async () => {
      const { labels, news } = await register("validating", () => ({ allowed: true }));
      await expectCode(201, make("both", { a: "1" }, labels));
      news();
      await expectCode(200, api().merge(at("both"), { data: { a: "2" } }));
      await expectCode(200, api().merge(at("both"), {}));
      await expectCode(
        200,
        api().apply(at("both"), "tester", { apiVersion: "v1", kind: "ConfigMap", metadata: { labels } }),
      );
      const asked = news();
      assert.deepEqual(
        asked.map(({ operation, options }) => [operation, options.kind, options.fieldManager === "tester"]),
        [
          ["UPDATE", "UpdateOptions", false],
          ["UPDATE", "UpdateOptions", false],
          ["UPDATE", "UpdateOptions", true],
        ],
      );
      assert.deepEqual([asked[0]?.oldObject?.data, asked[0]?.object?.data], [{ a: "1" }, { a: "2" }]);
      assert.notEqual(asked[0]?.uid, asked[1]?.uid);
      assert.ok(asked[0]?.userInfo.groups.includes("system:masters"));
    });

    test("are asked about deletions with the old object alone, and may refuse them", async () => {
      const { labels, news, name } = await register(
        "validating",
        ({ operation, oldObject }) => ({
          allowed: operation !== "DELETE" || oldObject?.metadata.name !== "stays",
          status: { code: 403, message: "it stays" },
        }),
        {},
        { operations: ["DELETE"] },
      );
      for (const one of ["stays", "goes"]) await expectCode(201, make(one, {}, labels));
      const refused = await api().delete(at("stays"));
      assert.equal(refused.code, 403);
      assert.equal(refused.body.message, `admission webhook "${name}" denied the request: it stays`);
      await expectCode(200, api().delete(at("goes")));
      assert.deepEqual(
        news().map(({ operation, object, oldObject }) => [operation, object, oldObject?.metadata.name]),
        [
          ["DELETE", null, "stays"],
          ["DELETE", null, "goes"],
        ],
      );
      await expectCode(200, api().get(at("stays")));
    });

    test("hear of a dry run, which stores nothing", async () => {
      const { labels, news } = await register("mutating", () => ({
        allowed: true,
        patch: [{ op: "add", path: "/data", value: { by: "hook" } }],
      }));
      const { data } = await expectCode(201, make("dry", {}, labels, "?dryRun=All"));
      assert.deepEqual(data, { by: "hook" });
      assert.deepEqual(
        news().map(({ dryRun }) => dryRun),
        [true],
      );
      assert.equal((await api().get(at("dry"))).code, 404);
    });

    test("whose side effects rest in dry runs are asked about them", async () => {
      const { labels, news } = await register("validating", () => ({ allowed: true }), {
        sideEffects: "NoneOnDryRun",
      });
      await expectCode(201, make("dry", {}, labels, "?dryRun=All"));
      assert.equal(news().length, 1);
    });

    test("are asked about a status only where they say so", async () => {
      const main = await register("validating", () => ({ allowed: true }));
      const status = await register(
        "validating",
        ({ object }) => ({ allowed: (object?.status as { phase?: string })?.phase !== "bad" }),
        {},
        { resources: ["widgets/status"] },
      );
      for (const [name, { labels }] of Object.entries({ main, status }))
        await expectCode(
          201,
          api().post(place.widgets, widget(place, `of-${name}`, { size: 1 }, { labels })),
        );
      main.news();
      const path = (name: string): string => `${place.widgets}/of-${name}/status`;
      await expectCode(200, api().merge(path("main"), { status: { phase: "bad" } }));
      assert.deepEqual(main.news(), []);
      assert.equal((await api().merge(path("status"), { status: { phase: "bad" } })).code, 400);
      await expectCode(200, api().merge(path("status"), { status: { phase: "good" } }));
      assert.deepEqual(
        status.news().map(({ subResource, operation }) => [subResource, operation]),
        [
          ["status", "UPDATE"],
          ["status", "UPDATE"],
        ],
      );
    });

    test("that are down refuse every write by Fail, and none by Ignore", async () => {
      const gone = { url: "https://127.0.0.1:1/gone", caBundle: hooks.caBundle };
      const fail = await register("validating", () => ({ allowed: true }), {
        clientConfig: gone,
        failurePolicy: "Fail",
      });
      const { code, body } = await make("down", {}, fail.labels);
      assert.deepEqual([code, body.reason], [500, "InternalError"]);
      assert.equal(
        body.message,
        `Internal error occurred: failed calling webhook "${fail.name}": failed to call webhook: Post "https://127.0.0.1:1/gone?timeout=5s": dial tcp 127.0.0.1:1: connect: connection refused`,
      );
      const ignore = await register("mutating", () => ({ allowed: true }), {
        clientConfig: gone,
        failurePolicy: "Ignore",
      });
      await expectCode(201, make("ignored", {}, ignore.labels));
    });

    test("that fail are told with their text, and what they say for another request does not count", async () => {
      const { labels, name } = await register("validating", ({ object }) =>
        object?.metadata.name === "text" ? "it broke\n" : { allowed: true, uid: "another" },
      );
      const text = await make("text", {}, labels);
      assert.equal(
        text.body.message,
        `Internal error occurred: failed calling webhook "${name}": failed to call webhook: an error on the server ("it broke") has prevented the request from succeeding`,
      );
      const other = await make("other", {}, labels);
      assert.equal(other.code, 500);
      assert.match(other.body.message, /expected response\.uid="[0-9a-f-]+", got "another"/);
    });

    test("have only so much time", async () => {
      const late: (() => void)[] = [];
      const { labels } = await register(
        "validating",
        () => new Promise((resolve) => late.push(() => resolve({ allowed: true }))),
        { timeoutSeconds: 1 },
      );
      const { code, body } = await make("late", {}, labels);
      assert.equal(code, 500);
      assert.match(body.message, /\?timeout=1s": context deadline exceeded$/);
      for (const end of late) end();
    });

    test("are asked where namespaces, scopes and conditions fit", async () => {
      const namespace = (name: string, labels: object): Promise<Body> =>
        expectCode(
          201,
          api().post("/api/v1/namespaces", {
            apiVersion: "v1",
            kind: "Namespace",
            metadata: { name, labels },
          }),
        );
      await namespace("webhooks-on", { hooks: "on" });
      const only = await register("validating", () => ({ allowed: true }), {
        namespaceSelector: { matchLabels: { hooks: "on" } },
      });
      const cluster = await register(
        "validating",
        () => ({ allowed: true }),
        {},
        { scope: "Cluster", resources: ["*"] },
      );
      const condition = await register("validating", () => ({ allowed: true }), {
        matchConditions: [{ name: "big", expression: "has(object.data) && size(object.data) > 1" }],
      });
      await expectCode(201, make("off", {}, only.labels));
      assert.deepEqual(only.news(), []);
      await expectCode(
        201,
        api().post("/api/v1/namespaces/webhooks-on/configmaps", configMap("on", {}, only.labels)),
      );
      assert.equal(only.news().length, 1);
      await expectCode(201, make("scoped", {}, cluster.labels));
      assert.deepEqual(cluster.news(), []);
      await namespace("webhooks-scope", cluster.labels);
      assert.equal(cluster.news().length, 1);
      await expectCode(201, make("small", { a: "1" }, condition.labels));
      await expectCode(201, make("big", { a: "1", b: "2" }, condition.labels));
      assert.deepEqual(
        condition.news().map(({ object }) => object?.metadata.name),
        ["big"],
      );
    });

    test("are asked again where a later one changed what they saw, if they wish", async () => {
      const first = await register("mutating", () => ({ allowed: true }), { reinvocationPolicy: "IfNeeded" });
      const second = await register(
        "mutating",
        () => ({ allowed: true, patch: [{ op: "add", path: "/metadata/labels/second", value: "1" }] }),
        { objectSelector: { matchLabels: first.labels } },
      );
      await expectCode(201, make("again", {}, first.labels));
      assert.equal(second.news().length, 1);
      assert.deepEqual(
        first.news().map(({ object }) => object?.metadata.labels?.second),
        [undefined, "1"],
      );
    });

    test("asked about one object by many at once lose no write", async () => {
      const { labels } = await register("mutating", ({ object }) => ({
        allowed: true,
        patch: [{ op: "add", path: "/data/writes", value: String(Object.keys(object?.data ?? {}).length) }],
      }));
      await expectCode(201, make("counted", { a: "1" }, labels));
      const edits = Array.from({ length: 20 }, (_, index) => {
        const edit = async (): Promise<void> => {
          const { code } = await api().merge(at("counted"), { data: { [`edit-${index}`]: "1" } });
          // The real server tries five times.
          if (code === 409) await edit();
          else assert.equal(code, 200);
        };
        return edit();
      });
      await Promise.all(edits);
      const { data } = await expectCode(200, api().get(at("counted")));
      assert.equal(Object.keys(data).length, 22);
      assert.equal(data.writes, "22");
    });
  });
}
