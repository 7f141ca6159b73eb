import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Kyma, LABELS, Manifest } from "../kinds/index.ts";
import { commandsStage } from "./test-stage.ts";

const stage = commandsStage();
const { there, put } = stage;

describe("blockers", () => {
  it("says what a removal waits for, and what to type", async () => {
    const { client, namespace } = stage;
    await put(Kyma, "rt", { spec: { channel: "regular" } });
    const none = await there("blockers", "rt");
    assert.match(none.stdout, /No module of team-\d+\/rt is being removed, and/);
    await put(Manifest, "rt-alpha-1", {
      labels: { [LABELS.kymaName]: "rt", [LABELS.moduleName]: "alpha-store" },
      finalizers: ["example.org/held"],
      spec: {
        remote: true,
        install: { name: "raw-manifest", source: {} },
        resource: { apiVersion: "store.example.org/v1", kind: "AlphaStore", metadata: { name: "default" } },
      },
      status: {
        state: "Deleting",
        lastOperation: {
          operation: "waits for 2 objects of the kind AlphaStore to be deleted: shop/one, shop/two",
          lastUpdateTime: "2026-01-05T10:00:00Z",
        },
      },
    });
    const made = await client.get(resourceOf(Manifest), { namespace, name: "rt-alpha-1" });
    await client.delete(
      resourceOf(Manifest),
      { namespace, name: "rt-alpha-1" },
      { uid: made?.metadata.uid ?? assert.fail("it is not there") },
    );
    const { stdout } = await there("blockers", "rt");
    assert.match(
      stdout,
      /^alpha-store \(Manifest rt-alpha-1\) waits for 2 objects .*: shop\/one, shop\/two$/m,
    );
    assert.match(stdout, /kubectl get AlphaStore\.v1\.store\.example\.org --all-namespaces$/m);
    assert.match(stdout, /kubectl get secret -n team-\d+ -l .*kyma-name=rt /);

    // Somebody takes the Kyma's finalizer off, and one of its Manifests was never told to go.
    await put(Manifest, "rt-beta-1", {
      labels: { [LABELS.kymaName]: "rt", [LABELS.moduleName]: "beta-store" },
      spec: { remote: true, install: { name: "raw-manifest", source: {} } },
    });
    await client.delete(resourceOf(Kyma), { namespace, name: "rt" }, { uid: undefined });
    const left = await there("blockers", "rt");
    assert.equal(left.code, 0, left.stderr);
    assert.match(
      left.stdout,
      /^The Kyma team-\d+\/rt is no more\. What it has left is removed .*: rt-beta-1$/m,
    );
    assert.match(left.stdout, /^ {2}have it removed now: kubectl delete manifest rt-beta-1 -n team-\d+$/m);
    assert.match(left.stdout, /^alpha-store \(Manifest rt-alpha-1\) waits for 2 objects/m);
    assert.doesNotMatch(left.stdout, /or keep the module/);
    const nobody = await there("blockers", "rt-none");
    assert.match(nobody.stderr, /There is no Kyma team-\d+\/rt-none/);
  });
});
