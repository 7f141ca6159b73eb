import assert from "node:assert/strict";
import { it } from "vitest";
import { kubeconfigOf } from "../../../infra/testing/kubeconfig.ts";
import { connectTo, startRemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import { ensureNamespace } from "../../../infra/testing/system/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { CustomResourceDefinition, Secret } from "../../../shared/kube/kinds/index.ts";
import {
  ANNOTATIONS,
  CONTROL_PLANE,
  Kyma,
  LABELS,
  Manifest,
  ModuleReleaseMeta,
  ModuleTemplate,
  RUNTIME_KYMA,
  RUNTIME_NAMESPACE,
  runtimes,
} from "../kinds/index.ts";
import {
  alphaStore,
  DEFINITIONS,
  ensureNamespaceThere,
  installed,
  MAPS,
  SYSTEM,
  standing,
} from "./alpha-store.ts";
import { everythingIn } from "./everything.ts";
import { startStage } from "./stage.ts";

const SECRETS = resourceOf(Secret);
const KYMAS = resourceOf(Kyma);
const SECOND = { name: "rt-2", namespace: CONTROL_PLANE };

it("a Kyma whose Secret leads to the cluster of another one touches nothing there, and goes when its Secret has gone", async (t) => {
  const s = await startStage({ api: "local", target: "secret" });
  t.onTestFinished(() => s.stop());
  const remote = await installed(s);
  const before = await everythingIn(remote.client);
  const there = await standing(remote);

  const copied = await remote.secret({ named: "copied" });
  const metadata = { ...copied.metadata, labels: { [LABELS.kymaName]: SECOND.name } };
  await s.stack.client.apply(
    SECRETS,
    { name: "copied", namespace: CONTROL_PLANE },
    { ...copied, metadata },
    { fieldManager: "user", force: true },
  );
  await s.wants({ modules: [{ name: "alpha-store" }] }, { name: SECOND.name });
  const { state, conditions } = await s.says(SECOND.name);
  const reachable = conditions?.find(({ type }) => type === "Reachable");
  assert.deepEqual([state, reachable?.status, reachable?.reason], ["Error", "False", "Unreachable"]);
  assert.match(
    reachable?.message ?? "",
    /its Kyma kyma-system\/default says that it is the cluster of "kcp-system\/rt-1", and not of kcp-system\/rt-2/,
  );
  assert.deepEqual(await everythingIn(remote.client), before);
  assert.equal((await s.says()).state, "Ready", "the first one does not notice");

  await s.stack.client.delete(KYMAS, SECOND, { uid: undefined });
  await s.settled();
  assert.match((await s.says(SECOND.name)).lastOperation?.operation ?? "", /waits for its runtime/);
  await s.remove(Secret, { name: "copied", namespace: CONTROL_PLANE });
  await s.until("the second one to be gone", async () => (await s.get(Kyma, SECOND)) === undefined);
  const left = await s.list(Manifest, CONTROL_PLANE);
  assert.deepEqual([...new Set(left.map(({ metadata: { labels } }) => labels[LABELS.kymaName]))], ["rt-1"]);
  assert.deepEqual(await everythingIn(remote.client), before);
  assert.deepEqual(await standing(remote), there);
});

it("of two Kymas that are made for one free cluster in the same moment one has it, and the other one says whose it is", async (t) => {
  const s = await startStage({ api: "local", target: "secret" });
  t.onTestFinished(() => s.stop());
  await s.publish(alphaStore("1.0.0"));
  await s.release("alpha-store", { regular: "1.0.0" });
  const remote = await s.runtime("rt-1", { controllers: true });
  const copied = await remote.secret({ named: "copied" });
  await s.put(
    Secret,
    { name: "copied", namespace: CONTROL_PLANE, labels: { [LABELS.kymaName]: SECOND.name } },
    { data: copied.data },
  );
  await Promise.all(
    ["rt-1", SECOND.name].map((name) =>
      s.wants({ modules: [{ name: "alpha-store" }] }, { name, settle: false }),
    ),
  );
  await s.settled();
  const said = await Promise.all(["rt-1", SECOND.name].map((name) => s.says(name)));
  assert.deepEqual(said.map(({ state }) => state).toSorted(), ["Error", "Ready"]);
  const [owner, other] = said[0]?.state === "Ready" ? ["rt-1", SECOND.name] : [SECOND.name, "rt-1"];
  const { conditions } = await s.says(other);
  assert.match(
    conditions?.find(({ type }) => type === "Reachable")?.message ?? "",
    new RegExp(`says that it is the cluster of "kcp-system/${owner}", and not of kcp-system/${other}`),
  );
  const there = await remote.client.get(KYMAS, { name: RUNTIME_KYMA, namespace: RUNTIME_NAMESPACE });
  assert.equal(there?.metadata.annotations?.[ANNOTATIONS.ownedBy], `kcp-system/${owner}`);
});

it("a Kyma and a Manifest in another namespace get nothing of the runtime of their namesake, and say so", async (t) => {
  const s = await startStage({ api: "local", target: "secret" });
  t.onTestFinished(() => s.stop());
  const remote = await installed(s);
  const before = await everythingIn(remote.client);
  const elsewhere = { name: "rt-1", namespace: "elsewhere" };
  await ensureNamespace(s.stack.client, elsewhere.namespace);
  await s.put(Kyma, elsewhere, { spec: { channel: "fast", modules: [{ name: "beta-store" }] } });
  const own = await s.manifest("alpha-store");
  const labels = { [LABELS.kymaName]: "rt-1", [LABELS.moduleName]: "beta-store" };
  await s.put(Manifest, { ...elsewhere, labels }, { spec: own?.spec });
  await s.settled();
  const there = await s.get(Kyma, elsewhere);
  assert.match(
    there?.status?.lastOperation?.operation ?? "",
    /^Kymas have a runtime in the namespace kcp-system alone/,
  );
  const manifest = await s.get(Manifest, elsewhere);
  assert.equal(manifest?.status?.state, "Processing");
  assert.match(manifest?.status?.lastOperation?.operation ?? "", /in the namespace kcp-system alone/);
  assert.deepEqual(await everythingIn(remote.client), before);

  for (const kind of [Kyma, Manifest])
    await s.stack.client.delete(resourceOf(kind), elsewhere, { uid: undefined });
  await s.until(
    "both to be gone",
    async () =>
      (await s.list(Kyma, "elsewhere")).length === 0 && (await s.list(Manifest, "elsewhere")).length === 0,
  );
  assert.deepEqual(await everythingIn(remote.client), before);
  assert.equal((await s.says()).state, "Ready");
});

it("a Kyma whose Secret leads to the control plane touches nothing there, neither while it stays nor while it goes", async (t) => {
  const s = await startStage({ api: "local", target: "secret" });
  t.onTestFinished(() => s.stop());
  await s.publish(alphaStore("1.0.0"));
  await s.release("alpha-store", { regular: "1.0.0" });
  const standing = async () => {
    const { items } = await s.stack.client.list(resourceOf(CustomResourceDefinition), {});
    const catalog = await Promise.all([ModuleTemplate, ModuleReleaseMeta].map((kind) => s.list(kind)));
    return [...items, ...catalog.flat()].map(({ metadata: { name, uid, labels } }) => [name, uid, labels]);
  };
  const before = await standing();
  const config = Buffer.from(await kubeconfigOf(s.stack.api.connection)).toString("base64");
  const metadata = { name: "home", namespace: CONTROL_PLANE, labels: { [LABELS.kymaName]: "rt-1" } };
  await s.put(Secret, metadata, { data: { config } });
  await s.wants({ modules: [{ name: "alpha-store" }] });
  const { state, conditions } = await s.says();
  const words = /the Secret kcp-system\/home leads to the very cluster that it lies in/;
  assert.equal(state, "Error");
  assert.match(conditions?.find(({ type }) => type === "Reachable")?.message ?? "", words);
  assert.equal(await s.get(Kyma, { name: RUNTIME_KYMA, namespace: RUNTIME_NAMESPACE }), undefined);

  const own = { name: "rt-1", namespace: CONTROL_PLANE };
  await s.stack.client.delete(KYMAS, own, { uid: undefined });
  await s.settled();
  assert.match((await s.says()).lastOperation?.operation ?? "", words);
  assert.deepEqual(await standing(), before);
  await s.remove(Secret, metadata);
  await s.until("it to be gone", async () => (await s.get(Kyma, own)) === undefined);
  assert.deepEqual(await standing(), before);
});

it("a Kyma that goes while its Secret is changed takes nothing away in a cluster where nothing of it is", async (t) => {
  const s = await startStage({ api: "local", target: "secret" });
  t.onTestFinished(() => s.stop());
  const own = { name: "rt-1", namespace: CONTROL_PLANE };
  const first = await installed(s);
  await first.link("refuse");
  await s.stack.client.delete(KYMAS, own, { uid: undefined });
  await s.until("it to wait for its runtime", async () =>
    /does not answer/.test((await s.says()).lastOperation?.operation ?? ""),
  );
  const other = await startRemoteCluster(runtimes, "rt-1", { api: "local" });
  t.onTestFinished(() => other.stop());
  await ensureNamespaceThere(other, SYSTEM);
  const theirs = { name: "one", namespace: SYSTEM };
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: theirs, data: { of: "another team" } };
  await other.client.create(MAPS, map, { fieldManager: "user" });
  // Theirs too is a control plane.
  const definition = { name: "moduletemplates.operator.kyma-project.io" };
  const { apiVersion, kind, spec } =
    (await s.stack.client.get(DEFINITIONS, definition)) ?? assert.fail("the control plane has it");
  const copy = { apiVersion, kind, metadata: definition, spec };
  await other.client.create(DEFINITIONS, copy, { fieldManager: "user" });
  await s.until("it to be served", async () =>
    JSON.stringify(await other.client.get(DEFINITIONS, definition)).includes('"Established"'),
  );
  const before = await everythingIn(other.client);
  await connectTo(s.stack.client, other);
  await s.until("it to be gone", async () => (await s.get(Kyma, own)) === undefined);
  assert.deepEqual(await everythingIn(other.client), before);
});
