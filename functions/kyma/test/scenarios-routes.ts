import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { CONTROL_PLANE, Gateway, VirtualService, Watcher } from "../kinds/index.ts";
import type { Stage } from "./stage.ts";
import { watchKymas } from "./watching.ts";

const AT = { name: "kymas", namespace: CONTROL_PLANE };

/** The way of events from gateways to services (4.1). */
export const routes: readonly Scenario<Stage>[] = [
  {
    number: 35,
    name: "a Watcher's events find their way from the gateways that it names, and it says where none is",
    async run(s) {
      const state = async (): Promise<string | undefined> => (await s.get(Watcher, AT))?.status?.state;
      await watchKymas(s);
      assert.equal(await state(), "Error");
      const gateway = (name: string, hosts: readonly string[]) =>
        s.put(
          Gateway,
          {
            name,
            namespace: "istio-system",
            labels: { "operator.kyma-project.io/watcher-gateway": "default" },
          },
          { spec: { servers: [{ hosts }] } },
        );
      await gateway("outer", ["b.example.org", "a.example.org"]);
      await s.settled();
      assert.equal(await state(), "Ready");
      await gateway("another", ["c.example.org"]);
      await s.settled();
      const route = await s.get(VirtualService, AT);
      assert.deepEqual(route?.spec, {
        gateways: ["istio-system/another", "istio-system/outer"],
        hosts: ["a.example.org", "b.example.org", "c.example.org"],
        http: [
          {
            match: [{ uri: { prefix: "/v2/lifecycle-manager/event" } }],
            route: [{ destination: { host: "events.kcp-system.svc.cluster.local", port: { number: 8082 } } }],
          },
        ],
      });
      const found = await s.get(Watcher, AT);
      assert.deepEqual(
        found?.status?.conditions?.map(({ type, status, reason }) => [type, status, reason]),
        [["VirtualService", "True", "Ready"]],
      );
      await s.remove(Watcher, AT);
      await s.settled();
      assert.deepEqual([await s.get(Watcher, AT), await s.get(VirtualService, AT)], [undefined, undefined]);
      for (const name of ["outer", "another"]) await s.remove(Gateway, { name, namespace: "istio-system" });
    },
  },
];
