import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { startStack } from "../../../infra/testing/stack.ts";
import { defineSystem, each } from "../../../shared/function/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ClusterVersion } from "../kinds/index.ts";

const NOW = "2026-02-01T08:00:00Z";
const desired = { version: "5.2.0", image: "i@b" };

/** Owns what is required of a status, but for the available updates. */
const applies = each(ClusterVersion, {
  status: ["desired", "history", "observedGeneration", "versionHash", "conditions.Progressing"],
}).function({
  name: "applies",
  reconcile: ({ self }) => ({
    status: {
      desired,
      history: [
        { state: "Partial" as const, ...desired, startedTime: NOW, completionTime: null, verified: false },
      ],
      observedGeneration: self.metadata.generation,
      versionHash: "x",
      conditions: [{ type: "Progressing" as const, status: "True" as const, lastTransitionTime: NOW }],
    },
  }),
});
/** Owns the available updates: null until a channel is chosen. */
const offers = each(ClusterVersion, { status: ["availableUpdates", "conditions.RetrievedUpdates"] }).function(
  {
    name: "offers",
    reconcile: ({ self }) =>
      self.status?.desired === undefined
        ? {}
        : {
            status: {
              availableUpdates: self.spec.channel === undefined ? null : [{ version: "5.2.1", image: "i@c" }],
              conditions: [
                { type: "RetrievedUpdates" as const, status: "True" as const, lastTransitionTime: NOW },
              ],
            },
          },
  },
);
const resource = resourceOf(ClusterVersion);

/** One status of two functions, of which each owns a part and the schema requires both. */
export function partsSuite(api: "local" | "real"): void {
  describe(`the parts of a ClusterVersion's status on the ${api} API`, {
    skip: api === "real" && skipWithoutControlPlane() !== false,
  }, () => {
    it("begins with either writer, says null where it must, and comes to rest", async (t) => {
      const stack = await startStack({
        api,
        systems: [defineSystem({ name: "board", functions: [applies, offers] })],
      });
      t.onTestFinished(() => stack.stop());
      const stored = async () => {
        await stack.settled();
        const object = (await stack.client.get(resource, { name: "version" })) ?? assert.fail("it is there");
        return { object, status: object.status as Readonly<Record<string, unknown>> };
      };
      await stack.apply({
        apiVersion: "config.openshift.io/v1",
        kind: "ClusterVersion",
        metadata: { name: "version" },
        spec: { clusterID: "c" },
      });
      const first = await stored();
      assert.equal(first.status.availableUpdates, null);
      assert.deepEqual(
        (first.status.history as readonly { readonly completionTime: unknown }[]).map(
          ({ completionTime }) => completionTime,
        ),
        [null],
      );
      assert.equal((first.status.conditions as readonly unknown[]).length, 2);
      await stack.everyKeyOnce();
      assert.equal((await stored()).object.metadata.resourceVersion, first.object.metadata.resourceVersion);

      await stack.apply({
        apiVersion: "config.openshift.io/v1",
        kind: "ClusterVersion",
        metadata: { name: "version" },
        spec: { clusterID: "c", channel: "steady-5.2" },
      });
      const second = await stored();
      assert.deepEqual(second.status.availableUpdates, [{ version: "5.2.1", image: "i@c" }]);
      assert.equal(second.status.observedGeneration, 2);
      await stack.everyKeyOnce();
      assert.equal((await stored()).object.metadata.resourceVersion, second.object.metadata.resourceVersion);
      const owners = (second.object.metadata.managedFields ?? []).filter(({ fieldsV1 }) =>
        Object.hasOwn(
          (fieldsV1 as { readonly "f:status"?: object })?.["f:status"] ?? {},
          "f:availableUpdates",
        ),
      );
      assert.equal(owners.length, 1);
      assert.match(owners[0]?.manager ?? "", /offers/);
    });
  });
}
