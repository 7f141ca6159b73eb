import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { expectCode } from "./objects.ts";
import type { Answer, Api, Body } from "./target.ts";

const namespace = "admission";
const root = `/api/v1/namespaces/${namespace}`;
const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";

/** What the server minds of other objects. */
export function admission(api: () => Api): void {
  const service = (name: string, nodePort?: number, type = "NodePort"): Promise<Answer> =>
    api().post(`${root}/services`, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name },
      spec: { type, ports: [{ port: 80, nodePort }] },
    });
  const postPod = (name: string, spec: object, query = ""): Promise<Answer> =>
    api().post(`${root}/pods${query}`, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name },
      spec: { containers: [{ name: "c", image: "i" }], ...spec },
    });
  const pod = (name: string, spec: object = {}): Promise<Body> => expectCode(201, postPod(name, spec));
  const priorityClass = (name: string, value: number, more: object = {}): Promise<Body> =>
    expectCode(
      201,
      api().post(classes, {
        apiVersion: "scheduling.k8s.io/v1",
        kind: "PriorityClass",
        metadata: { name },
        value,
        ...more,
      }),
    );
  // Admission on the real server reads classes from a cache that follows its own writes.
  const untilPriority = (value: number, spec: object = {}): Promise<boolean> =>
    eventually(`priority ${value}`, async () => {
      const { code, body } = await postPod("asked", spec, "?dryRun=All");
      return code === 201 && body.spec.priority === value;
    });
  const priorityOf = ({ spec }: Body): readonly unknown[] => [
    spec.priority,
    spec.priorityClassName,
    spec.preemptionPolicy,
  ];

  describe("admission", () => {
    beforeAll(async () => {
      const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
      await expectCode(201, api().post("/api/v1/namespaces", body));
    });
    test("a port of the nodes belongs to one Service", async () => {
      await expectCode(201, service("first", 30_777));
      const body = await expectCode(422, service("second", 30_777));
      assert.equal(
        body.message,
        'Service "second" is invalid: spec.ports[0].nodePort: Invalid value: 30777: provided port is already allocated',
      );
      const free = await expectCode(201, service("second"));
      const ports = free.spec.ports as readonly { readonly nodePort: number }[];
      const given = ports[0]?.nodePort ?? 0;
      assert.ok(given >= 30_000 && given <= 32_767 && given !== 30_777, String(given));
      const taken = await expectCode(
        422,
        api().strategic(`${root}/services/second`, { spec: { ports: [{ port: 80, nodePort: 30_777 }] } }),
      );
      assert.match(taken.message, /provided port is already allocated$/);
    });
    test("a port of the nodes goes with the type, and is free again", async () => {
      await expectCode(201, service("closing", 30_778));
      const body = await expectCode(
        200,
        api().merge(`${root}/services/closing`, { spec: { type: "ClusterIP" } }),
      );
      assert.deepEqual(body.spec.ports, [{ port: 80, protocol: "TCP", targetPort: 80 }]);
      await expectCode(201, service("opening", 30_778));
    });
    test("a pod has the priority of its class", async () => {
      await priorityClass("high", 1000, { preemptionPolicy: "Never" });
      await untilPriority(1000, { priorityClassName: "high" });
      assert.deepEqual(priorityOf(await pod("urgent", { priorityClassName: "high" })), [
        1000,
        "high",
        "Never",
      ]);
      assert.deepEqual(priorityOf(await pod("usual")), [0, undefined, "PreemptLowerPriority"]);
    });
    test("a pod without a class has the one that counts for all", async () => {
      await priorityClass("common", 7, { globalDefault: true });
      await untilPriority(7);
      assert.deepEqual(priorityOf(await pod("common")), [7, "common", "PreemptLowerPriority"]);
      await expectCode(200, api().delete(`${classes}/common`));
      await untilPriority(0);
    });
  });
}
