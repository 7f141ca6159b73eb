import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { ClusterState, Obj } from "../../../../shared/function/index.ts";
import { apiVersionOf, type KubeObject } from "../../../../shared/kube/object.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { Kyma, LABELS, Manifest, RuntimeObject, runtimeKymaWait } from "../../kinds/index.ts";
import { installation } from "./install.ts";
import { entryOf } from "./inventory.ts";
import { type ManifestReads, observeManifest } from "./observe.ts";
import { failedManifest, manifestDeletion, manifestPass } from "./pass.ts";
import type { InstallWorld } from "./world.ts";

const MADE = "2026-03-01T12:00:00Z";
const after = (minutes: number): string => new Date(Date.parse(MADE) + minutes * 60_000).toISOString();
const SYNCED = [{ group: "", version: "v1", kind: "ConfigMap", name: "a", namespace: "b" }];

const manifest = (status?: object, metadata: object = {}): Obj<typeof Manifest> =>
  parseObject(Manifest, {
    apiVersion: apiVersionOf(Manifest),
    kind: "Manifest",
    metadata: {
      name: "rt-1-alpha",
      namespace: "kcp-system",
      uid: "u",
      resourceVersion: "1",
      creationTimestamp: MADE,
      ...metadata,
    },
    spec: {
      remote: true,
      install: { name: "alpha", source: { type: "oci-ref", repo: "r", name: "n", ref: "sha256:1" } },
    },
    ...(status !== undefined && { status }),
  });
const there = (state: ClusterState["state"]): ClusterState => ({
  state,
  cluster: "rt-1",
  reason: `it is ${state}`,
  wait: { for: "rt-1 to answer" },
});

describe("a Manifest whose runtime cannot be reached", () => {
  const passOf = (self: Obj<typeof Manifest>, state: ClusterState["state"], minutes: number) => {
    const decided = manifestPass(self, { step: "away", there: there(state) }, after(minutes));
    return "waitingFor" in decided ? decided : assert.fail("nothing is waited for");
  };
  const wakesOf = (decided: object) => ("wakeAt" in decided ? decided.wakeAt : undefined);
  const cases: readonly (readonly [
    string,
    object | undefined,
    ClusterState["state"],
    number,
    string,
    boolean,
  ])[] = [
    ["is in work while its Secret is young in coming", undefined, "no secret", 1, "Processing", true],
    ["is in Error where none came", undefined, "no secret", 5, "Error", false],
    ["is in Error where two came", undefined, "several secrets", 0, "Error", false],
    ["is in work where it does not answer", undefined, "unreachable", 60, "Processing", false],
    [
      "keeps its word once it is installed",
      { state: "Ready", synced: SYNCED },
      "unreachable",
      60,
      "Ready",
      false,
    ],
    ["is in work where its word is lost", { synced: SYNCED }, "unreachable", 60, "Processing", false],
  ];
  for (const [says, status, state, minutes, wanted, isWoken] of cases)
    it(says, () => {
      const decided = passOf(manifest(status), state, minutes);
      assert.equal(decided.status.state, wanted);
      assert.equal(decided.status.lastOperation?.operation, `it is ${state}`);
      assert.deepEqual(decided.waitingFor, [there(state).wait]);
      assert.deepEqual(wakesOf(decided), isWoken ? { secret: after(5) } : undefined);
    });
});

describe("a Manifest whose runtime nobody has marked", () => {
  const kyma = (served?: "True" | "False") =>
    parseObject(Kyma, {
      apiVersion: apiVersionOf(Kyma),
      kind: "Kyma",
      metadata: {
        name: "rt-1",
        namespace: "kcp-system",
        uid: "k",
        resourceVersion: "1",
        creationTimestamp: MADE,
      },
      spec: { channel: "fast" },
      ...(served !== undefined && {
        status: {
          conditions: [
            { type: "CRDsSync", status: served, reason: "Ready", message: "", lastTransitionTime: MADE },
          ],
        },
      }),
    });
  const unmarked: ClusterState = { ...there("reachable"), isUnmarked: true };
  const reads = (of: Obj<typeof Kyma> | undefined): ManifestReads => {
    const unread = () => assert.fail("nothing else is read");
    const { components, secret } = { components: { layer: unread } as never, secret: unread };
    const handlers = { ask: unread, leave: unread } as never;
    const more = { manifest: unread, manifests: unread, object: unread, objects: unread, knows: unread };
    return { components, secret, handlers, ...more, kyma: async () => of, there: async () => unmarked };
  };
  const self = (status?: object) => manifest(status, { labels: { [LABELS.kymaName]: "rt-1" } });
  const SETTINGS = { dependencyGraceMinutes: 5 };

  for (const [says, status, state] of [
    ["waits, and is in work", undefined, "Processing"],
    ["keeps its word where it was installed", { state: "Ready", synced: SYNCED }, "Ready"],
  ] as const)
    for (const served of [undefined, "False", "True"] as const)
      it(`${says}, with the definitions ${served ?? "unknown"}`, async () => {
        const world = await observeManifest(self(status), reads(kyma(served)), SETTINGS);
        assert.equal(world.step, "unmarked");
        const decided = manifestPass(self(status), world, MADE);
        assert.ok("waitingFor" in decided && !("effects" in decided));
        assert.equal(decided.status.state, state);
        assert.match(decided.status.lastOperation?.operation ?? "", /marked the runtime as its own/);
        const marks = served === "True" ? [runtimeKymaWait("rt-1")] : [];
        assert.deepEqual(decided.waitingFor, [unmarked.wait, ...marks]);
      });
});

describe("an artifact without objects", () => {
  const world: InstallWorld = {
    artifact: { state: "known", objects: [], unplaced: [] },
    ...{ definitions: new Map(), surplus: [], isTruncated: false, needs: [] },
    ...{ operator: undefined, resource: undefined, grace: "5m" },
  };
  const said = (status?: object) => {
    const results = Object.assign(() => assert.fail(), { ok: true, failed: [] }) as never;
    const { effects, report } = installation(manifest(status), "rt-1", world, MADE);
    return { effects: JSON.stringify(effects), ...report(results) };
  };
  it("takes nothing from a module that stands", () => {
    const { effects, state, message } = said({ synced: SYNCED });
    assert.deepEqual([effects, state], ["[]", "Error"]);
    assert.match(message, /sha256:1 holds no object, and 1 stand: publish/);
  });
  it("is one, where nothing stands yet", () => assert.equal(said().state, "Ready"));
});

describe("a Manifest of nobody", () => {
  const orphan = (status: object | undefined, minutes: number) =>
    manifestPass(manifest(status), { step: "orphan" }, after(minutes));

  it("says so, and is deleted five minutes later", () => {
    const first = orphan(undefined, 0);
    assert("status" in first && first.status?.state === "Error");
    assert.deepEqual("wakeAt" in first && first.wakeAt, { orphan: after(5) });
    const again = orphan(first.status, 4);
    assert.deepEqual("wakeAt" in again && again.wakeAt, { orphan: after(5) }, "the time is not put off");
    assert.deepEqual(Object.keys(orphan(first.status, 5)), ["effects"]);
  });

  it("counts from when it was said where something else was said before", () => {
    const decided = orphan({ state: "Ready", lastOperation: { operation: "up", lastUpdateTime: MADE } }, 60);
    assert.deepEqual("wakeAt" in decided && decided.wakeAt, { orphan: after(65) });
  });

  it("names the label that it lacks", () => {
    const decided = manifestPass(manifest(), { step: "unlabelled" }, MADE);
    assert("status" in decided && decided.status?.state === "Error");
    assert.match(
      decided.status.lastOperation?.operation ?? "",
      /bears no label operator\.kyma-project\.io\/kyma-name/,
    );
  });

  it("puts the label of its Kyma back before anything else, while it goes too", () => {
    for (const decide of [manifestPass, manifestDeletion]) {
      const decided = decide(manifest(), { step: "mislabelled", kyma: "rt-1" }, MADE);
      assert("effects" in decided && !Array.isArray(decided.effects) && "plan" in decided.effects);
      const { plan } = decided.effects;
      assert(plan.effect === "patch");
      assert.match(JSON.stringify(plan), /"operator\.kyma-project\.io\/kyma-name":"rt-1"/);
      assert.equal("again" in decided && decided.again, true);
    }
  });

  it("does nothing that belongs to the end of others", () => {
    const world = { step: "removal", there: there("reachable"), found: [] } as const;
    assert.deepEqual(manifestPass(manifest(), world, MADE), {});
  });
});

describe("a Manifest that is deleted", () => {
  it("ends where there surely is no runtime", () => {
    const world = { step: "away", there: there("no secret") } as const;
    assert.deepEqual(manifestDeletion(manifest({ synced: SYNCED }), world, MADE), { finalized: true });
  });

  it("says at its end whose finalizers keep it", () => {
    const finalizers = [
      "declarative.kyma-project.io/finalizer",
      "label-removal-finalizer",
      "example.org/one",
    ];
    const self = manifest({ state: "Deleting", synced: SYNCED }, { deletionTimestamp: MADE, finalizers });
    const decided = manifestDeletion(self, { step: "removal", there: there("reachable"), found: [] }, MADE);
    assert.equal("finalized" in decided && decided.finalized, true);
    assert.match(
      JSON.stringify("status" in decided && decided.status),
      /"the module is gone; its Manifest stays as long as its finalizers name example\.org\/one"/,
    );
  });

  for (const [state, wanted] of [
    ["Ready", "Deleting"],
    ["Unmanaged", "Unmanaged"],
  ] as const)
    it(`stays ${wanted} while its runtime does not answer, having been ${state}`, () => {
      const world = { step: "away", there: there("unreachable") } as const;
      const decided = manifestDeletion(manifest({ state }), world, MADE);
      assert("status" in decided && decided.status.state === wanted);
      assert.deepEqual("waitingFor" in decided && decided.waitingFor, [there("unreachable").wait]);
    });

  it("ends without a label only where nothing was installed", () => {
    assert.deepEqual(manifestDeletion(manifest(), { step: "unlabelled" }, MADE), { finalized: true });
    const kept = manifestDeletion(manifest({ synced: SYNCED }), { step: "unlabelled" }, MADE);
    assert("status" in kept && kept.status.state === "Deleting");
    assert.deepEqual(kept.status.synced, SYNCED);
  });

  it("leaves the namespaces that belong to no module, whatever its artifact brought", () => {
    const entryAt = (name: string) => ({ group: "", version: "v1", kind: "Namespace", name, namespace: "" });
    const found = ["kyma-system", "kube-system", "alpha-system"].map((name) => ({
      entry: entryAt(name),
      live: parseObject(
        RuntimeObject,
        { apiVersion: "v1", kind: "Namespace", metadata: { name, uid: name, resourceVersion: "1" } },
        "rt-1",
      ),
    }));
    const removalOf = (some: typeof found) =>
      manifestDeletion(
        manifest({ synced: found.map(({ entry }) => entry) }),
        { step: "removal", there: there("reachable"), found: some },
        MADE,
      );
    const text = JSON.stringify(removalOf(found));
    assert.match(text, /alpha-system/);
    assert.doesNotMatch(text, /kyma-system|kube-system/);
    assert.deepEqual(removalOf(found.slice(0, 2)), { effects: [], finalized: true });
  });

  for (const [says, served, own, wanted] of [
    ["that is served then, where its definition was changed meanwhile", ["v1"], "v9", "v1"],
    ["in which it was found, where that stays", ["v1", "v9"], "v9", "v9"],
    ["in which it was found, where the module brings no definition", undefined, "v9", "v9"],
  ] as const)
    it(`waits for its default object in the version ${says}`, () => {
      const definition = {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: "alphas.example.org", uid: "d", resourceVersion: "1", labels: {}, annotations: {} },
        spec: {
          group: "example.org",
          names: { kind: "Alpha" },
          versions: (served ?? []).map((name) => ({ name, served: true })),
        },
      };
      const live = (object: KubeObject) => parseObject(RuntimeObject, object, "rt-1");
      const objects = served === undefined ? [] : [definition];
      const synced = objects.map(entryOf);
      const install: InstallWorld = {
        artifact: { state: "known", objects, unplaced: [] },
        ...{ definitions: new Map(), surplus: [], isTruncated: false, needs: [] },
        ...{ operator: undefined, resource: undefined, grace: "5m" },
      };
      const decided = manifestDeletion(
        manifest({ synced }, { deletionTimestamp: MADE, finalizers: ["f"] }),
        {
          step: "blocked",
          there: there("reachable"),
          blockers: [],
          own: live({
            apiVersion: `example.org/${own}`,
            kind: "Alpha",
            metadata: { name: "one", namespace: "kyma-system", uid: "o", resourceVersion: "1" },
          }),
          install,
        },
        MADE,
      );
      assert("conclude" in decided);
      const results = Object.assign(() => ({ state: "done", value: live(definition) }), {
        ...{ ok: true, failed: [] },
      }) as never;
      const concluded = decided.conclude(results);
      assert("waitingFor" in concluded);
      assert.deepEqual(
        concluded.waitingFor?.flatMap((wait) =>
          "object" in wait && wait.object?.kind === "Alpha" ? [wait.object.apiVersion] : [],
        ),
        [`example.org/${wanted}`],
      );
    });

  it("is not an orphan any more", () =>
    assert.deepEqual(manifestDeletion(manifest(), { step: "orphan" }, MADE), {}));
});

it("a failure that nobody expected is told in the state of the Manifest", () => {
  assert.equal(failedManifest(manifest(), "broken", MADE).state, "Error");
  const deleted = manifest(undefined, { deletionTimestamp: MADE, finalizers: ["f"] });
  assert.equal(failedManifest(deleted, "broken", MADE).state, "Deleting");
});
