// The way back: Reveille ends, the operator before writes what it writes, and takes down what it takes down.
import assert from "node:assert/strict";
import { afterEach, describe, it } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { installKinds } from "../../../infra/testing/install-crds.ts";
import { isRecord } from "../../../shared/json/fields.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { CONTROL_PLANE, Kyma, Manifest, ModuleReleaseMeta, ModuleTemplate, Watcher } from "../kinds/index.ts";
import { everythingIn } from "./everything.ts";
import { MANIFEST, MANIFEST_FOR_ALL } from "./landscape.ts";
import { at, changesIn, landscape, type Scene } from "./landscape-scene.ts";

let scene: Scene;
afterEach(() => scene.stop());

/** Has Reveille take over, and end again. */
async function wasOurs(): Promise<void> {
  scene = await landscape((client) => installKinds(client, [Kyma, ModuleTemplate, ModuleReleaseMeta]));
  await scene.start();
  await eventually("it to be ready", scene.isReady);
  await scene.cluster?.settled();
  await scene.end();
}

describe("a landscape that goes back to the operator before", () => {
  it("is what it was once that has written again, but for a short list, and comes to us again", async () => {
    scene = await landscape((client) => installKinds(client, [Kyma, ModuleTemplate, ModuleReleaseMeta]));
    const { api, remote } = scene;
    const [home, there] = [await everythingIn(api.client), await everythingIn(remote.client)];
    await scene.start();
    await eventually("it to be ready", scene.isReady);
    await scene.cluster?.settled();
    await scene.end();
    await scene.writeAgain();
    assert.deepEqual(changesIn(home, await everythingIn(api.client)), [
      `Kyma ${CONTROL_PLANE}/rt-1: /metadata/annotations/reveille.dev/user-spec`,
      `Kyma ${CONTROL_PLANE}/rt-1: /metadata/annotations/reveille.dev/accepted-spec`,
      ...[MANIFEST, MANIFEST_FOR_ALL]
        .toSorted()
        .flatMap((name) => [
          `Manifest ${CONTROL_PLANE}/${name}: /metadata/labels/kyma-project.io/runtime-id`,
          ...(name === MANIFEST
            ? [`Manifest ${CONTROL_PLANE}/${name}: /metadata/annotations/reveille.dev/default-objects`]
            : []),
        ]),
    ]);
    assert.deepEqual(
      changesIn(there, await everythingIn(remote.client)),
      ["kymas", "modulereleasemetas", "moduletemplates"].map(
        (plural) => `CustomResourceDefinition ${plural}.operator.kyma-project.io: /metadata/labels`,
      ),
    );
    await scene.start();
    await eventually("it to be ready once more", scene.isReady);
  });

  it("is held by nothing of ours: what the operator before lets go is gone", async () => {
    await wasOurs();
    const objects: readonly (readonly [Kind, string])[] = [
      [Manifest, MANIFEST],
      [Manifest, MANIFEST_FOR_ALL],
      [ModuleReleaseMeta, "audit"],
      [Watcher, "watcher"],
      [Kyma, "rt-1"],
    ];
    for (const [kind, name] of objects) {
      await scene.api.client.delete(resourceOf(kind), at(name), { uid: undefined });
      await scene.api.client.patch(
        resourceOf(kind),
        at(name),
        "merge",
        { metadata: { finalizers: null } },
        { fieldManager: "lifecycle-manager" },
      );
      assert.equal(await scene.api.client.get(resourceOf(kind), at(name)), undefined, `${kind.kind} ${name}`);
    }
  });

  it("has statuses of which that understands every word", async () => {
    await wasOurs();
    const { status } = (await scene.api.client.get(resourceOf(Manifest), at(MANIFEST))) ?? assert.fail();
    assert.ok(isRecord(status));
    const said = status.conditions as readonly { readonly type: string; readonly reason: string }[];
    assert.deepEqual(said.map(({ type, reason }) => `${type} ${reason}`).sort(), [
      "Installation Ready",
      "ModuleCR ModuleCRCreated",
      "Resources ResourcesAvailable",
    ]);
    assert.equal(status.state, "Ready");
  });
});
