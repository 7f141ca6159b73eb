import assert from "node:assert/strict";
import { it } from "vitest";
import type { KubeClient } from "../kube/client.ts";
import { defineClusters } from "../kube/clusters.ts";
import { othersThrough } from "./clients.ts";

const plants = defineClusters("plant", { secret: { suffix: "-kubeconfig", key: "value" } });

it("a cluster that was let go and came back is reached by its new client", () => {
  const own: KubeClient[] = [];
  // A client is known by itself alone here.
  const open = (): KubeClient => {
    const client = Object.create(null) as KubeClient;
    own.push(client);
    return client;
  };
  let now = open();
  const around = new Map<KubeClient, KubeClient>();
  const others = othersThrough(
    {
      at: () => ({ client: now, look: async () => ({ state: "reachable", reason: "" }), isSlow: false }),
      heard: () => undefined,
      limit: (milliseconds) => milliseconds,
    },
    (client) => {
      const made = Object.create(null) as KubeClient;
      around.set(made, client);
      return made;
    },
  );
  const of = (): KubeClient => others.at(plants, "team-a/one").client;
  const first = of();
  assert.equal(of(), first, "made once");
  now = open();
  const second = of();
  assert.notEqual(second, first);
  assert.deepEqual([around.get(first), around.get(second)], own);
  assert.equal(of(), second);
});
