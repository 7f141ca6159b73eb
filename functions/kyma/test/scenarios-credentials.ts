import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import {
  alphaStore,
  ensureNamespaceThere,
  imageThere,
  KYMA_SYSTEM,
  MAPS,
  ready,
  wanted,
} from "./alpha-store.ts";
import type { Stage } from "./stage.ts";
import { condition, heard } from "./watching.ts";

const OLD = "of-yesterday";

/** The credentials by which runtimes are reached: 5, 6. */
export const credentials: readonly Scenario<Stage>[] = [
  {
    number: 5,
    name: "credentials that are replaced and then revoked are not missed: the next request goes by the new ones",
    async run(s) {
      let isRevoked = false;
      const remote = await s.runtime("rt-1", {
        connected: false,
        controllers: true,
        users: [
          { token: OLD, isRevoked: () => isRevoked, username: "yesterday", groups: ["system:masters"] },
        ],
      });
      await s.connect(remote, { token: OLD });
      await ensureNamespaceThere(remote, KYMA_SYSTEM);
      await s.publish(alphaStore("1.0.0"), alphaStore("1.1.0"));
      await s.release("alpha-store", { regular: "1.0.0" });
      await wanted(s);
      await ready(s);
      const reachable = await condition(s, "Reachable");
      assert.equal(reachable?.status, "True");

      const before = s.stack.runs().length;
      const changes = heard(s, "resource.changed");
      await s.connect(remote);
      isRevoked = true;
      await assert.rejects(
        remote.api.newClient(OLD).get(MAPS, { name: "any", namespace: KYMA_SYSTEM }),
        (thrown) => thrown instanceof KubeError && thrown.kind === "unauthorized",
      );
      await s.release("alpha-store", { regular: "1.1.0" });
      await ready(s, "1.1.0");
      assert.equal(await imageThere(remote), "registry.test/dev/alpha-store:1.1.0");
      changes.stop();

      const states = changes.events.map(({ data }) => (data as { facts: { state?: unknown } }).facts.state);
      assert.ok(states.length > 0);
      assert.deepEqual(
        states.filter((state) => state === "Error"),
        [],
      );
      assert.deepEqual(await condition(s, "Reachable"), reachable, "it never was away");
      const refused = s.stack
        .runs()
        .slice(before)
        .filter(({ outcome }) => !["done", "waiting", "swept"].includes(outcome));
      assert.deepEqual(refused, []);
    },
  },
  {
    number: 6,
    name: "credentials that end without new ones are found out by one probe, which is repeated less and less",
    async run(s) {
      let isRevoked = false;
      let asked = 0;
      const user = {
        token: OLD,
        isRevoked: () => {
          asked += 1;
          return isRevoked;
        },
        username: "yesterday",
        groups: ["system:masters"],
      };
      const remote = await s.runtime("rt-1", { connected: false, controllers: true, users: [user] });
      await s.connect(remote, { token: OLD });
      await s.runtime("rt-2", { controllers: true });
      await s.publish({ module: "beta-map", version: "1.0.0" }, { module: "beta-map", version: "1.1.0" });
      await s.release("beta-map", { regular: "1.0.0" });
      for (const name of ["rt-1", "rt-2"]) {
        await s.wants({ modules: [{ name: "beta-map" }] }, { name });
        await s.until(`${name} to be Ready`, async () => (await s.says(name)).state === "Ready");
      }
      isRevoked = true;
      await s.release("beta-map", { regular: "1.1.0" });
      await s.until("it to be found away", async () => (await condition(s, "Reachable"))?.status === "False");
      await s.until("the other to be upgraded", async () => {
        const { state, version } = (await s.module("beta-map", "rt-2")) ?? {};
        return state === "Ready" && version === "1.1.0";
      });
      assert.equal((await s.says("rt-2")).state, "Ready");
      // The pauses between probes grow to five minutes: a minute holds one of them at most.
      const minutes = 20;
      await s.leap(1);
      asked = 0;
      for (let minute = 0; minute < minutes; minute += 1) await s.leap(1);
      assert.ok(asked <= minutes / 2, `${asked} requests in ${minutes} minutes`);
      assert.equal((await condition(s, "Reachable"))?.status, "False");
      await s.connect(remote);
      await s.until("it to be back", async () => {
        const { state, version } = (await s.module("beta-map")) ?? {};
        return state === "Ready" && version === "1.1.0" && (await s.says()).state === "Ready";
      });
    },
  },
];
