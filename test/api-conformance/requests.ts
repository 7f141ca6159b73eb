import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { configMap, expectCode, placeOf, prepare } from "./objects.ts";
import type { Api } from "./target.ts";

/** What a request asks for beside its object: options, methods, paths, subresources. */
export function requests(api: () => Api): void {
  const place = placeOf("requests");
  const maps = `/api/v1/namespaces/${place.namespace}/configmaps`;
  const make = (name: string): Promise<unknown> => expectCode(201, api().post(maps, configMap(name, {})));
  const messageOf = async (code: number, answer: ReturnType<Api["get"]>): Promise<string> =>
    (await expectCode(code, answer)).message;
  describe("requests", () => {
    beforeAll(() => prepare(api(), place));

    test("a dry run that is not spelled All writes nothing", async () => {
      for (const [given, shown] of [
        ["dryRun=Some", '["Some"]'],
        ["dryRun=", '[""]'],
        ["dryRun=all", '["all"]'],
        ["dryRun=All&dryRun=no", '["All","no"]'],
      ])
        assert.equal(
          await messageOf(422, api().post(`${maps}?${given}`, configMap("dry", {}))),
          `CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ${shown}: supported values: "All"`,
        );
      await expectCode(404, api().get(`${maps}/dry`));
      await make("wet");
      const change = { data: { a: "changed" } };
      await expectCode(422, api().put(`${maps}/wet?dryRun=Some`, { ...configMap("wet", {}), ...change }));
      await expectCode(422, api().merge(`${maps}/wet?dryRun=Some`, change));
      await expectCode(422, api().delete(`${maps}/wet?dryRun=Some`));
      await expectCode(422, api().delete(`${maps}/wet`, { dryRun: ["Some"] }));
      await expectCode(422, api().delete(`${maps}?dryRun=Some`));
      await expectCode(400, api().delete(`${maps}/wet`, { dryRun: "All" }));
      await expectCode(200, api().delete(`${maps}/wet`, { dryRun: ["All"] }));
      await expectCode(200, api().delete(`${maps}/wet?dryRun=All`));
      assert.notEqual((await expectCode(200, api().get(`${maps}/wet`))).data?.a, "changed");
    });

    test("options that contradict each other, or are out of range, do nothing", async () => {
      await make("kept");
      const both = { orphanDependents: true, propagationPolicy: "Orphan" };
      assert.match(
        await messageOf(422, api().delete(`${maps}/kept`, both)),
        /propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set/,
      );
      await expectCode(422, api().delete(`${maps}/kept?orphanDependents=true&propagationPolicy=Orphan`));
      await expectCode(400, api().delete(`${maps}/kept`, { kind: "Foo", apiVersion: "v1" }));
      await expectCode(400, api().delete(`${maps}/kept`, { gracePeriodSeconds: "x" }));
      await expectCode(400, api().delete(`${maps}/kept?gracePeriodSeconds=x`));
      await expectCode(400, api().delete(`${maps}/kept`, [1]));
      await expectCode(200, api().get(`${maps}/kept`));
      assert.match(
        await messageOf(422, api().post(`${maps}?fieldManager=${"m".repeat(129)}`, configMap("no", {}))),
        /CreateOptions\.meta\.k8s\.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes/,
      );
      assert.match(
        await messageOf(422, api().post(`${maps}?fieldManager=a%00b`, configMap("no", {}))),
        /fieldManager: Invalid value: "a\\x00b": invalid character U\+0000 \(at position 1\)/,
      );
      assert.match(
        await messageOf(422, api().post(`${maps}?fieldValidation=Foo`, configMap("no", {}))),
        /fieldValidation: Unsupported value: "Foo": supported values: "", "Ignore", "Strict", "Warn"/,
      );
      await expectCode(201, api().post(`${maps}?fieldValidation=`, configMap("yes", {})));
      assert.equal(
        await messageOf(400, api().get(`${maps}?limit=99999999999999999999`)),
        'strconv.ParseInt: parsing "99999999999999999999": value out of range',
      );
      await expectCode(400, api().get(`${maps}?limit=x`));
      await expectCode(200, api().get(`${maps}?limit=-1`));
    });

    test("a collection of all namespaces is read only", async () => {
      await make("here");
      for (const [path, code] of [
        ["/api/v1/configmaps", 405],
        [`/apis/${place.group}/v1/widgets`, 404],
      ] as const) {
        assert.equal((await api().delete(path)).code, code);
        assert.equal((await api().delete(`${path}?dryRun=All`)).code, code);
        assert.equal((await api().put(path, configMap("x", {}))).code, code);
        assert.equal((await api().merge(path, {})).code, code);
        assert.equal((await api().post(path, configMap("x", {}))).code, code);
      }
      assert.equal((await api().send("HEAD", "/api/v1/configmaps")).code, 405);
      assert.equal((await api().send("HEAD", `/apis/${place.group}/v1/widgets`)).code, 200);
      await expectCode(200, api().get(`${maps}/here`));
      await expectCode(405, api().put(maps, configMap("x", {})));
      await expectCode(405, api().merge(maps, {}));
      assert.equal((await api().send("HEAD", `${maps}/here`)).code, 405);
      await expectCode(200, api().delete(`${maps}?fieldSelector=metadata.name%3Dhere`));
      await expectCode(404, api().get(`${maps}/here`));
    });

    test("a path that is odd names nothing", async () => {
      await expectCode(404, api().get(`${maps}/%ff`));
      await expectCode(200, api().get("/api/v1/namespaces/%ff/configmaps"));
      for (const path of [`${maps}/%zz`, `${maps}/%E0%A4%A`, "/%"])
        assert.equal((await api().get(path)).code, 400, path);
      await expectCode(404, api().get(`${maps}/a%2Fb`));
      await expectCode(404, api().get(`${maps}/kept/scale`));
      await expectCode(404, api().get(`${maps}/kept/nothing`));
    });

    test("the root tells the paths", async () => {
      const { paths } = (await expectCode(200, api().get("/"))) as unknown as {
        readonly paths: readonly string[];
      };
      for (const path of [
        "/api/v1",
        "/apis/apps/v1",
        `/apis/${place.group}/v1`,
        "/openapi/v3",
        "/readyz",
        "/version",
      ])
        assert.ok(paths.includes(path), path);
    });

    test("health is told as a whole, check by check, and in words", async () => {
      for (const path of ["/healthz", "/livez", "/readyz", "/readyz/ping", "/readyz?exclude=ping"])
        assert.deepEqual([path, (await api().get(path)).text], [path, "ok"]);
      const told = (await api().get("/readyz?verbose")).text;
      assert.match(told, /^\[\+\]ping ok\n/);
      assert.match(told, /\nreadyz check passed\n$/);
      assert.match((await api().get("/livez?verbose&exclude=ping")).text, /^\[\+\]ping excluded: ok\n/);
      assert.equal((await api().get("/readyz/nothing")).code, 404);
    });

    test("an eviction deletes its pod, unless a budget forbids it", async () => {
      const pods = `/api/v1/namespaces/${place.namespace}/pods`;
      const labels = { app: "evicted" };
      const pod = {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "p", labels },
        spec: { containers: [{ name: "c", image: "i" }], automountServiceAccountToken: false },
      };
      const account = `/api/v1/namespaces/${place.namespace}/serviceaccounts`;
      await api().post(account, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } });
      const evict = (more: object = {}): ReturnType<Api["post"]> =>
        api().post(`${pods}/p/eviction`, {
          apiVersion: "policy/v1",
          kind: "Eviction",
          metadata: { name: "p", namespace: place.namespace },
          ...more,
        });
      await expectCode(404, evict());
      await expectCode(201, api().post(pods, pod));
      await expectCode(400, evict({ metadata: { name: "other" } }));
      const running = (status: object): ReturnType<Api["merge"]> =>
        api().merge(`${pods}/p/status`, { status: { phase: "Running", ...status } });
      await expectCode(200, running({ conditions: [{ type: "Ready", status: "True" }] }));
      const budgets = `/apis/policy/v1/namespaces/${place.namespace}/poddisruptionbudgets`;
      await expectCode(
        201,
        api().post(budgets, {
          apiVersion: "policy/v1",
          kind: "PodDisruptionBudget",
          metadata: { name: "b" },
          spec: { minAvailable: 1, selector: { matchLabels: labels } },
        }),
      );
      const fresh = await expectCode(429, evict());
      assert.equal(fresh.reason, "TooManyRequests");
      assert.equal(fresh.message, "Cannot evict pod as it would violate the pod's disruption budget.");
      assert.equal(
        fresh.details.causes[0]?.message,
        "The disruption budget b is still being processed by the server.",
      );
      const status = {
        observedGeneration: 1,
        disruptionsAllowed: 0,
        currentHealthy: 1,
        desiredHealthy: 1,
        expectedPods: 1,
      };
      await expectCode(200, api().merge(`${budgets}/b/status`, { status }));
      assert.equal(
        (await expectCode(429, evict())).details.causes[0]?.message,
        "The disruption budget b needs 1 healthy pods and has 1 currently",
      );
      await expectCode(200, api().merge(`${budgets}/b/status`, { status: { disruptionsAllowed: 1 } }));
      await expectCode(201, evict({ deleteOptions: { dryRun: ["All"] } }));
      await expectCode(200, api().get(`${pods}/p`));
      assert.equal((await expectCode(201, evict())).status, "Success");
      await expectCode(404, api().get(`${pods}/p`));
      const left = (await expectCode(200, api().get(`${budgets}/b`))).status as typeof status;
      assert.equal(left.disruptionsAllowed, 0);
    });
  });
}
