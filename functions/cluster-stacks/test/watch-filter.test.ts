import assert from "node:assert/strict";
import { it } from "vitest";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { Event } from "../../../shared/kube/kinds/index.ts";
import { Cluster, ClusterAddon, ClusterStack, ClusterStackRelease, FILTER_LABEL } from "../kinds/index.ts";
import { asking, clusterOf } from "./hooks.ts";
import { type Stage, startStage, TEAM, tag } from "./stage.ts";

const USER = { fieldManager: "user" } as const;

async function label(s: Stage, kind: Kind, name: string, value: string | null): Promise<void> {
  const metadata = { labels: { [FILTER_LABEL]: value } };
  await s.stack.client.patch(resourceOf(kind), { name, namespace: TEAM }, "merge", { metadata }, USER);
  await s.settled();
}

it("objects without the label that the configuration asks for are left alone, which is said", async (t) => {
  const s = await startStage({ api: "local", configuration: { watchFilter: "mine" } });
  t.onTestFinished(() => s.stop());
  await s.publish("v1");
  const version = "v1.27.3";
  await s.wants({ versions: ["v1"], autoSubscribe: true });
  await s.cluster("demo", { class: tag("v1"), version });
  const stack = () => s.get(ClusterStack, { name: "ferrol", namespace: TEAM });
  assert.deepEqual([await s.there(), (await stack())?.status], [[], undefined]);
  assert.equal(await s.addon("demo"), undefined);
  const told = (await s.list(Event)).filter(({ reason }) => reason === "LeftAlone");
  assert.deepEqual(
    told.map(({ message, involvedObject }) => `${involvedObject?.kind}: ${message}`).sort(),
    ["Cluster", "ClusterStack"].map(
      (kind) => `${kind}: it is left alone until it has the label ${FILTER_LABEL}=mine`,
    ),
  );

  await label(s, ClusterStack, "ferrol", "mine");
  await s.until("v1 to be ready", async () => (await s.release("v1"))?.status?.ready === true);
  assert.equal((await s.release("v1"))?.metadata.labels[FILTER_LABEL], "mine");
  assert.equal(await s.addon("demo"), undefined, "the Cluster is another's still");
  await label(s, Cluster, "demo", "mine");
  assert.equal((await s.addon("demo"))?.metadata.labels[FILTER_LABEL], "mine");

  // One that somebody made before: its stack gives it the label, and then it is handled.
  await label(s, ClusterStackRelease, tag("v1"), null);
  await s.until(
    "the release to be labelled again",
    async () => (await s.release("v1"))?.metadata.labels[FILTER_LABEL] === "mine",
  );

  // Another program's: nothing of it is written any more, nor is it deleted by this one.
  await label(s, ClusterStack, "ferrol", "yours");
  await label(s, Cluster, "demo", "yours");
  await label(s, ClusterAddon, "cluster-addon-demo", "yours");
  await label(s, ClusterStackRelease, tag("v1"), "yours");
  const before = JSON.stringify([await stack(), await s.release("v1"), await s.addon("demo")]);
  await s.publish("v2");
  await s.leap(6);
  await s.again();
  assert.equal(JSON.stringify([await stack(), await s.release("v1"), await s.addon("demo")]), before);
  const answer = await asking(s.stack.client, { watchFilter: "mine" })(
    "BeforeClusterUpgrade",
    clusterOf("demo", tag("v1"), "v1.28.0"),
    {
      toKubernetesVersion: "v1.28.0",
    },
  );
  assert.deepEqual([answer.status, answer.retryAfterSeconds], ["Success", undefined]);
  await s.stack.client.delete(
    resourceOf(ClusterStackRelease),
    { name: tag("v1"), namespace: TEAM },
    { uid: undefined },
  );
  await s.settled();
  assert.ok((await s.release("v1"))?.metadata.deletionTimestamp, "its finalizer is the other program's");
  assert.deepEqual(await s.classes(), ["ClusterClass v1", "DockerClusterTemplate v1-cluster"]);
});
