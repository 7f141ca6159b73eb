import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { apply, defineClusters, defineKind, defineSystem, each, unwatched } from "../../index.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { connectTo } from "../../infra/testing/remote-cluster.ts";
import { shortAlarms } from "../../infra/testing/short-alarms.ts";
import { startStack } from "../../infra/testing/stack.ts";
import { SECRETS } from "../../shared/kube/client/cluster-secret.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";

const plants = defineClusters("plant", { secret: { suffix: "-kubeconfig", key: "value" } });
class PlantMap extends plants.kind(ConfigMap) {}
/** Something that a cluster shall have, which has its name and lies beside its Secret. */
class Present extends defineKind({
  group: "names.example.org",
  version: "v1",
  kind: "Present",
  scope: "Namespaced",
  fields: { spec: z.object({ text: z.string() }) },
  status: z.object({ phase: z.string().optional() }),
}) {}
const system = defineSystem({
  name: "presents",
  functions: [
    each(Present).function({
      name: "present",
      writes: [unwatched(PlantMap, "written once for each present")],
      observe: async ({ self, read }) => ({
        there: await read.cluster(plants, `${self.metadata.namespace}/${self.metadata.name}`),
      }),
      reconcile: ({ self, there }) =>
        there.state === "reachable"
          ? {
              effects: apply(PlantMap, {
                metadata: { cluster: there.cluster, namespace: "default", name: self.metadata.name },
                data: { text: self.spec.text },
              }),
              status: { phase: "given" },
            }
          : { status: { phase: there.state }, waitingFor: [there.wait] },
    }),
  ],
});
const PRESENTS = resourceOf(Present);
const NAMESPACE = "default";

describe("a cluster whose Secret its name finds", () => {
  it("is found at once when the Secret comes, and when it becomes another", async (t) => {
    const stack = await startStack({
      api: "local",
      // A watch tells of the Secret: no look comes due.
      clock: shortAlarms,
      systems: [system],
      clusters: [{ clusters: plants, name: `${NAMESPACE}/one`, connected: false }],
    });
    t.onTestFinished(() => stack.stop());
    const [remote] = stack.remotes;
    assert.ok(remote);
    const put = (text: string) =>
      stack.apply({
        apiVersion: "names.example.org/v1",
        kind: "Present",
        metadata: { name: "one", namespace: NAMESPACE },
        spec: { text },
      });
    const phase = (wanted: string): Promise<true> =>
      eventually(`it to be ${wanted}`, async () => {
        const found = await stack.client.get(PRESENTS, { name: "one", namespace: NAMESPACE });
        return (found?.status as { readonly phase?: string } | undefined)?.phase === wanted;
      });
    await put("tea");
    await phase("no secret");
    await stack.settled();
    await connectTo(stack.client, remote, { token: "revoked" });
    await phase("unreachable");
    await stack.settled();
    await connectTo(stack.client, remote);
    await phase("given");
    const secret = { namespace: NAMESPACE, name: "one-kubeconfig" };
    assert.ok((await stack.client.get(SECRETS, secret)) !== undefined);
  });
});
