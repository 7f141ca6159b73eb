// A landscape that the operator before has left: what Reveille changes of it, and what it would need to be given back.
import assert from "node:assert/strict";
import { afterEach, describe, it } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { connectTo, type RemoteCluster, startRemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import { installKinds as installKindsOf } from "../../../infra/testing/stack.ts";
import { type StackCluster, startStackCluster } from "../../../infra/testing/system/index.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { kyma as system } from "../index.ts";
import {
  CONTROL_PLANE,
  Kyma,
  Manifest,
  ModuleReleaseMeta,
  ModuleTemplate,
  runtimes,
} from "../kinds/index.ts";
import { memoryComponents } from "../ports/components/adapters/index.ts";
import { components } from "../ports/components/index.ts";
import { issuer } from "../ports/issuer/index.ts";
import { layerOf } from "./alpha-store.ts";
import { everythingIn } from "./everything.ts";
import { quickIssuer } from "./issuing.ts";
import { COMPONENT, MANIFEST, RELEASE, TEMPLATE, THEIR_FINALIZERS, writeLandscape } from "./landscape.ts";

let api: TestApi;
let remote: RemoteCluster;
let cluster: StackCluster | undefined;
const memory = memoryComponents();

/** Starts the two clusters with the catalog, and with what the operator before left. */
async function landscape(): Promise<void> {
  api = await startTestApi({ api: "local" });
  await installKindsOf(api.client, [system]);
  remote = await startRemoteCluster(runtimes, "rt-1", { api: "local" });
  await connectTo(api.client, remote);
  await memory.put({ name: COMPONENT, version: "1.0.0", layer: layerOf("1.0.0") });
  for (const [kind, name, spec] of [
    [ModuleReleaseMeta, "alpha-store", RELEASE],
    [ModuleTemplate, "alpha-store-1.0.0", TEMPLATE],
  ] as const) {
    const place = { name, namespace: CONTROL_PLANE };
    const body = { apiVersion: "operator.kyma-project.io/v1beta2", kind: kind.kind, metadata: place, spec };
    await api.client.apply(resourceOf(kind), place, body, { fieldManager: "kubectl", force: true });
  }
  const described = await memory.describe(COMPONENT, "1.0.0");
  if (described.state !== "described") assert.fail(described.state);
  await writeLandscape(api.client, remote, described.component.source);
  await remote.api.idle();
}
const start = async (): Promise<StackCluster> => {
  cluster = await startStackCluster({
    system,
    api,
    configuration: { kyma: { target: "secret" } },
    engine: { ports: [components.bind(memory), issuer.bind(quickIssuer)] },
  });
  await cluster.settled();
  return cluster;
};
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
  await remote.stop();
});

const at = (name: string) => ({ name, namespace: CONTROL_PLANE });

/** The paths at which two objects differ. */
function differences(one: unknown, other: unknown, path = ""): readonly string[] {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return one === other ? [] : [path];
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...fields].flatMap((field) =>
    differences(Reflect.get(one, field), Reflect.get(other, field), `${path}/${field}`),
  );
}
const changesIn = (
  before: ReadonlyMap<string, object>,
  after: ReadonlyMap<string, object>,
): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => !/^(Event|Lease|Secret|Namespace reveille-system|Pod|ReplicaSet)/.test(name))
    .flatMap((name) => {
      const [was, is] = [before.get(name), after.get(name)];
      if (was === undefined) return [`made: ${name}`];
      if (is === undefined) return [`gone: ${name}`];
      return differences(was, is).map((path) => `${name}: ${path}`);
    });

const LABEL = "operator.kyma-project.io/";
const DISCLAIMER = "/metadata/annotations/operator.kyma-project.io/managed-by-reconciler-disclaimer";
const isReady = async (): Promise<boolean> =>
  (await cluster?.get(Kyma, at("rt-1")))?.status?.state === "Ready";
/** The finalizers that stand anywhere, but for those of the server. */
async function finalizers(): Promise<readonly string[]> {
  const all = [...(await everythingIn(api.client)).values(), ...(await everythingIn(remote.client)).values()];
  const named = all.flatMap(
    (one) => (one as { metadata: { finalizers?: string[] } }).metadata.finalizers ?? [],
  );
  return [...new Set(named)].filter((name) => !/^(kubernetes|customresourcecleanup\..*)$/.test(name)).sort();
}
const THEIRS = [...THEIR_FINALIZERS, "operator.kyma-project.io/Kyma"].sort();

describe("a landscape of the operator before", () => {
  it("differs in a short list once Reveille has looked at it, and its finalizers and records stand", async () => {
    await landscape();
    const [home, there] = [await everythingIn(api.client), await everythingIn(remote.client)];
    assert.deepEqual(await finalizers(), THEIRS);
    const { stack } = await start();
    await eventually("it to be ready", isReady);
    await cluster?.settled();
    const manifest = `Manifest ${CONTROL_PLANE}/${MANIFEST}`;
    assert.deepEqual(changesIn(home, await everythingIn(stack.client)), [
      // Our own notes, and a label that nothing reads.
      `Kyma ${CONTROL_PLANE}/rt-1: /metadata/annotations/reveille.dev/user-spec`,
      `Kyma ${CONTROL_PLANE}/rt-1: /metadata/annotations/reveille.dev/accepted-spec`,
      `${manifest}: /metadata/labels/${LABEL}controller-name`,
      `${manifest}: /metadata/labels/kyma-project.io/runtime-id`,
    ]);
    assert.deepEqual(
      changesIn(there, await everythingIn(remote.client)).filter((change) => !change.endsWith(DISCLAIMER)),
      ["kymas", "modulereleasemetas", "moduletemplates"].map(
        (plural) => `CustomResourceDefinition ${plural}.operator.kyma-project.io: /metadata/labels`,
      ),
    );
    assert.deepEqual(await finalizers(), THEIRS);
    const { status, metadata } = (await cluster?.get(Manifest, at(MANIFEST))) ?? {};
    assert.equal(status?.synced?.length, 5);
    assert.match(metadata?.annotations["sync-oci-ref"] ?? "", /^sha256:/);
    // Nobody but the server and its controllers has anything left to write.
    const before = await versions();
    await stack.everyKeyOnce();
    await cluster?.settled();
    assert.deepEqual(await versions(), before);
  });

  it("is taken down by Reveille, whichever of the finalizers stand", async () => {
    await landscape();
    // The operator before had begun with it.
    await api.client.delete(resourceOf(Manifest), at(MANIFEST), { uid: undefined });
    await api.client.patch(
      resourceOf(Manifest),
      at(MANIFEST),
      "merge",
      { metadata: { finalizers: THEIR_FINALIZERS.slice(1) } },
      { fieldManager: "declarative.kyma-project.io/applier" },
    );
    const unwanted = { spec: { modules: [] } };
    const user = { fieldManager: "kubectl" };
    await api.client.patch(resourceOf(Kyma), at("rt-1"), "merge", unwanted, user);
    await remote.client.patch(
      resourceOf(Kyma),
      { name: "default", namespace: "kyma-system" },
      "merge",
      unwanted,
      user,
    );
    await start();
    const gone = async (): Promise<boolean> =>
      (await api.client.get(resourceOf(Manifest), at(MANIFEST))) === undefined;
    await eventually("its Manifest to be gone", gone);
    await cluster?.settled();
    const left = [...(await everythingIn(remote.client)).keys()].filter((name) =>
      /^(?!Module).*alpha/i.test(name),
    );
    assert.deepEqual(left, []);
  });

  it("has what we make of it in the form that the operator before takes down", async () => {
    await landscape();
    await api.client.patch(
      resourceOf(Manifest),
      at(MANIFEST),
      "merge",
      { metadata: { finalizers: null } },
      { fieldManager: "kubectl" },
    );
    await api.client.delete(resourceOf(Manifest), at(MANIFEST), { uid: undefined });
    await start();
    await eventually("it to be ready", isReady);
    const { metadata, spec } = (await cluster?.get(Manifest, at(MANIFEST))) ?? assert.fail("no Manifest");
    assert.deepEqual(metadata.finalizers, THEIR_FINALIZERS.slice(0, 1));
    assert.deepEqual(await finalizers(), [...THEIR_FINALIZERS.slice(0, 1), "operator.kyma-project.io/Kyma"]);
    assert.equal(spec?.install.name, "raw-manifest");
    const [owner] = metadata.ownerReferences;
    assert.deepEqual([owner?.kind, owner?.name, owner?.controller], ["Kyma", "rt-1", true]);
    for (const label of ["kyma-name", "module-name", "channel", "managed-by"])
      assert.ok(metadata.labels[`${LABEL}${label}`], label);
  });
});

/** The versions of what functions may write. */
const versions = async (): Promise<readonly string[]> =>
  (await Promise.all([Kyma, Manifest].map(async (kind) => (await api.client.list(resourceOf(kind))).items)))
    .flat()
    .map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`);
