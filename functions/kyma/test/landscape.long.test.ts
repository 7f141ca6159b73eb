// A landscape that the operator before has left: what Reveille changes of it, and how it goes on with it.
import assert from "node:assert/strict";
import { afterEach, describe, it } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { crdObject, installCrd, installKinds } from "../../../infra/testing/install-crds.ts";
import { fieldOf, listOf } from "../../../shared/json/fields.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { CONTROL_PLANE, Kyma, Manifest, ModuleReleaseMeta, ModuleTemplate, Watcher } from "../kinds/index.ts";
import { everythingIn } from "./everything.ts";
import {
  MANIFEST,
  MANIFEST_FOR_ALL,
  MODULE_FINALIZER,
  THEIR_FINALIZERS,
  WATCHER_FINALIZER,
} from "./landscape.ts";
import { at, changesIn, finalizersIn, landscape, type Scene } from "./landscape-scene.ts";

/** The kinds that a runtime has. */
const THERE = [Kyma, ModuleTemplate, ModuleReleaseMeta];
const prepared = (client: KubeClient): Promise<void> => installKinds(client, THERE);
let scene: Scene;
afterEach(() => scene.stop());

const LABEL = "operator.kyma-project.io/";
const DISCLAIMER = "/metadata/annotations/operator.kyma-project.io/managed-by-reconciler-disclaimer";
const KYMA_FINALIZER = "operator.kyma-project.io/Kyma";
const THEIRS = [...THEIR_FINALIZERS, KYMA_FINALIZER, MODULE_FINALIZER, WATCHER_FINALIZER].sort();

/** The field managers of an object, but for those that write statuses. */
const managersOf = (object: KubeObject | undefined): readonly string[] =>
  [
    ...new Set(
      (object?.metadata.managedFields ?? []).flatMap(({ manager, subresource }) =>
        subresource === undefined ? (manager ?? []) : [],
      ),
    ),
  ].sort();

/** The note on the module that has a default configuration object. */
const DEFAULT_OBJECTS = `Manifest ${CONTROL_PLANE}/${MANIFEST}: /metadata/annotations/reveille.dev/default-objects`;

describe("a landscape of the operator before", () => {
  it("differs in a short list once Reveille has looked at it, and its finalizers and records stand", async () => {
    scene = await landscape(prepared);
    const { api, remote } = scene;
    const [home, there] = [await everythingIn(api.client), await everythingIn(remote.client)];
    assert.deepEqual(await finalizersIn(scene), THEIRS);
    const { stack, settled, get } = await scene.start();
    await eventually("it to be ready", scene.isReady);
    await settled();
    assert.deepEqual(changesIn(home, await everythingIn(api.client)), [
      // Our own notes, and a label that nothing reads.
      `Kyma ${CONTROL_PLANE}/rt-1: /metadata/annotations/reveille.dev/user-spec`,
      `Kyma ${CONTROL_PLANE}/rt-1: /metadata/annotations/reveille.dev/accepted-spec`,
      ...[MANIFEST, MANIFEST_FOR_ALL]
        .toSorted()
        .flatMap((name) => [
          `Manifest ${CONTROL_PLANE}/${name}: /metadata/labels/${LABEL}controller-name`,
          `Manifest ${CONTROL_PLANE}/${name}: /metadata/labels/kyma-project.io/runtime-id`,
          ...(name === MANIFEST ? [DEFAULT_OBJECTS] : []),
        ]),
    ]);
    assert.deepEqual(
      changesIn(there, await everythingIn(remote.client)).filter((change) => !change.endsWith(DISCLAIMER)),
      ["kymas", "modulereleasemetas", "moduletemplates"].map(
        (plural) => `CustomResourceDefinition ${plural}.operator.kyma-project.io: /metadata/labels`,
      ),
    );
    assert.deepEqual(await finalizersIn(scene), THEIRS);
    const { status, metadata } = (await get(Manifest, at(MANIFEST))) ?? {};
    assert.equal(status?.synced?.length, 5);
    assert.match(metadata?.annotations["sync-oci-ref"] ?? "", /^sha256:/);
    // Nobody keeps it up to date any more.
    const said = [
      ...(status?.conditions ?? []),
      ...((await get(Kyma, at("rt-1")))?.status?.conditions ?? []),
    ];
    assert.deepEqual([...new Set(said.map((one) => one.observedGeneration))], [undefined]);
    // Nobody but the server and its controllers has anything left to write.
    const before = await versions();
    await stack.everyKeyOnce();
    await settled();
    assert.deepEqual(await versions(), before);
  });

  it("is ours by its field managers: what lifecycle-manager wrote, and what it still holds", async () => {
    scene = await landscape(prepared);
    await scene.start();
    await eventually("it to be ready", scene.isReady);
    await scene.cluster?.settled();
    const home = async (kind: Kind, name: string) =>
      managersOf(await scene.api.client.get(resourceOf(kind), at(name)));
    assert.deepEqual(
      {
        kyma: await home(Kyma, "rt-1"),
        manifest: await home(Manifest, MANIFEST),
        release: await home(ModuleReleaseMeta, "audit"),
        watcher: await home(Watcher, "watcher"),
      },
      {
        // What its spec and its finalizer say is its owner's word; we add annotations.
        kyma: ["lifecycle-manager", "reveille-kyma-runtimes", "reveille-kymas"],
        // The finalizers and the record that stand as they were written.
        manifest: [
          "declarative.kyma-project.io/applier",
          "resource.kyma-project.io/finalizer",
          "reveille-kyma-manifests",
          "reveille-kymas",
        ],
        release: ["kubectl", "lifecycle-manager"],
        watcher: ["kubectl", "lifecycle-manager"],
      },
    );
  });

  it("has a definition in its runtime that remembers a version which nobody serves any more", async () => {
    scene = await landscape(async (client) => {
      for (const kind of THERE) await upgraded(client, kind);
    });
    await scene.start();
    await eventually("it to be ready", scene.isReady);
    for (const kind of THERE) {
      const found = await scene.remote.client.get(resourceOf(CustomResourceDefinition), {
        name: `${kind.plural}.${kind.group}`,
      });
      assert.deepEqual(fieldOf(found?.status, "storedVersions"), ["v1beta1", "v1beta2"]);
      assert.deepEqual(
        listOf(fieldOf(found?.spec, "versions")).map((version) => [
          fieldOf(version, "name"),
          fieldOf(version, "served"),
          fieldOf(version, "storage"),
        ]),
        [
          ["v1beta2", true, true],
          ["v1beta1", false, false],
        ],
      );
    }
  });

  it("is taken down by Reveille, whichever of the finalizers stand", async () => {
    scene = await landscape(prepared);
    const { api, remote } = scene;
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
    await scene.start();
    const gone = async (): Promise<boolean> =>
      (await api.client.get(resourceOf(Manifest), at(MANIFEST))) === undefined;
    await eventually("its Manifest to be gone", gone);
    await scene.cluster?.settled();
    const left = [...(await everythingIn(remote.client)).keys()].filter((name) =>
      /^(?!Module).*alpha/i.test(name),
    );
    assert.deepEqual(left, []);
    // The module that each cluster gets goes with its release, whose finalizer is the operator's too.
    await api.client.delete(resourceOf(ModuleReleaseMeta), at("audit"), { uid: undefined });
    await eventually(
      "the release to be gone",
      async () => (await api.client.get(resourceOf(ModuleReleaseMeta), at("audit"))) === undefined,
    );
    assert.equal(await api.client.get(resourceOf(Manifest), at(MANIFEST_FOR_ALL)), undefined);
  });

  it("has what we make of it in the form that the operator before takes down", async () => {
    scene = await landscape(prepared);
    const { api } = scene;
    await api.client.patch(
      resourceOf(Manifest),
      at(MANIFEST),
      "merge",
      { metadata: { finalizers: null } },
      { fieldManager: "kubectl" },
    );
    await api.client.delete(resourceOf(Manifest), at(MANIFEST), { uid: undefined });
    const { get } = await scene.start();
    await eventually("it to be ready", scene.isReady);
    const { metadata, spec } = (await get(Manifest, at(MANIFEST))) ?? assert.fail("no Manifest");
    assert.deepEqual(metadata.finalizers, THEIR_FINALIZERS.slice(0, 1));
    assert.equal(spec?.install.name, "raw-manifest");
    const [owner] = metadata.ownerReferences;
    assert.deepEqual([owner?.kind, owner?.name, owner?.controller], ["Kyma", "rt-1", true]);
    for (const label of ["kyma-name", "module-name", "channel", "managed-by"])
      assert.ok(metadata.labels[`${LABEL}${label}`], label);
  });
});

/** Installs the definition of a kind as it was, and then as it is: its server remembers both. */
async function upgraded(client: KubeClient, kind: Kind): Promise<void> {
  const crd = crdObject(kind);
  const [version] = listOf(fieldOf(crd.spec, "versions"));
  const former = { ...Object(version), name: "v1beta1" };
  const versions = (...all: readonly object[]) => ({
    ...crd,
    spec: { ...Object(crd.spec), versions: [...all] },
  });
  const definitions = resourceOf(CustomResourceDefinition);
  await installCrd(client, versions(former), { ...resourceOf(kind), version: "v1beta1" });
  const now = versions({ ...former, served: false, storage: false }, Object(version));
  await client.apply(definitions, crd.metadata, now, { fieldManager: "lifecycle-manager", force: true });
  await eventually(`${kind.kind} to be served anew`, async () =>
    (await client.discover(kind.group, kind.version).catch(() => [])).some(
      ({ plural }) => plural === kind.plural,
    ),
  );
}

/** The versions of what functions may write. */
const versions = async (): Promise<readonly string[]> =>
  (
    await Promise.all(
      [Kyma, Manifest].map(async (kind) => (await scene.api.client.list(resourceOf(kind))).items),
    )
  )
    .flat()
    .map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`);
