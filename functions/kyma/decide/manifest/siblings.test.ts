import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { ClusterState } from "../../../../shared/function/index.ts";
import { apiVersionOf } from "../../../../shared/kube/object.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { ANNOTATIONS, LABELS, Manifest, RuntimeObject, type SyncedObject } from "../../kinds/index.ts";
import { manifestDeletion } from "./pass.ts";
import { withClaims } from "./siblings.ts";
import type { FoundObject } from "./world.ts";

const NOW = "2026-03-01T12:00:00Z";
const entry = (kind: string, name: string): SyncedObject => ({
  ...{ group: "", version: "v1", kind, name },
  namespace: kind === "Namespace" ? "" : "shared-system",
});
const SHARED = entry("Namespace", "shared-system");
const OWN = entry("ConfigMap", "own");

type Way = "stands" | "moves" | "goes";
const manifest = (name: string, synced: readonly SyncedObject[] = [SHARED], way: Way = "stands") =>
  parseObject(Manifest, {
    apiVersion: apiVersionOf(Manifest),
    kind: "Manifest",
    metadata: {
      ...{ name, namespace: "kcp-system", uid: name, resourceVersion: "1" },
      annotations: { [ANNOTATIONS.syncedArtifact]: way === "stands" ? "v2" : "v1" },
      ...(way === "goes" && { deletionTimestamp: NOW, finalizers: ["a.test/b"] }),
    },
    spec: { remote: true, install: { name: "raw-manifest", source: { ref: "v2" } } },
    status: { state: "Ready", synced },
  });
const going = (name: string, synced?: readonly SyncedObject[]) => manifest(name, synced, "goes");
/** One whose artifact is another one than that which it stands by. */
const moving = (name: string, synced?: readonly SyncedObject[]) => manifest(name, synced, "moves");
const found = (of: SyncedObject, bringer?: string): FoundObject => ({
  entry: of,
  live: parseObject(
    RuntimeObject,
    {
      apiVersion: "v1",
      kind: of.kind,
      metadata: {
        ...{ name: of.name, uid: of.name, resourceVersion: "1" },
        ...(of.namespace !== "" && { namespace: of.namespace }),
        labels:
          bringer === undefined ? {} : { [LABELS.managedBy]: "kyma", "app.kubernetes.io/component": bringer },
      },
    },
    "rt-1",
  ),
});
const claimed = async (
  self: ReturnType<typeof manifest>,
  others: readonly ReturnType<typeof manifest>[],
  objects: readonly FoundObject[],
  strangers: readonly string[] = [],
) =>
  withClaims(self, objects, {
    siblings: async () => [self, ...others],
    isThere: async (name) => strangers.includes(name),
  });

describe("an object that a module may delete is", () => {
  const cases: readonly (readonly [
    string,
    Parameters<typeof claimed>[0],
    Parameters<typeof claimed>[1],
    string | undefined,
    object | undefined,
  ])[] = [
    ["its own where no other has it", going("a"), [manifest("b", [OWN])], "a", undefined],
    [
      "another one's that has recorded it, although this one applied it last",
      going("a"),
      [manifest("b")],
      "a",
      { by: "b", isPassing: false },
    ],
    [
      "its own once the one that applied it last no longer has it",
      going("b"),
      [manifest("a", [])],
      "a",
      undefined,
    ],
    ["its own once the one that applied it last is gone", going("b"), [], "a", undefined],
    [
      "another one's although nobody's mark is on it",
      going("a"),
      [manifest("b")],
      undefined,
      { by: "b", isPassing: false },
    ],
    ["left to the last of those that go", going("a"), [going("b")], "a", { by: "b", isPassing: false }],
    ["waited for by the last of those that go", going("b"), [going("a")], "b", { by: "a", isPassing: true }],
    [
      "left to one that stays, whatever goes besides",
      going("b"),
      [going("a"), manifest("aa")],
      "b",
      { by: "aa", isPassing: false },
    ],
    [
      "waited for by one that goes on without it, as long as one that goes has it",
      moving("a"),
      [going("b")],
      "b",
      { by: "b", isPassing: true },
    ],
    [
      "left to one that moves, by one that goes",
      going("b"),
      [moving("a")],
      "b",
      { by: "a", isPassing: false },
    ],
    ["left to the last of those that move", moving("a"), [moving("b")], "a", { by: "b", isPassing: false }],
    [
      "waited for by the last of those that move",
      moving("b"),
      [moving("a")],
      "b",
      { by: "a", isPassing: true },
    ],
    [
      "left to one that stands, whatever moves besides",
      moving("b"),
      [moving("a"), manifest("aa")],
      "b",
      { by: "aa", isPassing: false },
    ],
  ];
  for (const [title, self, others, bringer, claim] of cases)
    test(title, async () => {
      const [one] = await claimed(self, others, [found(SHARED, bringer)]);
      assert.deepEqual(one?.claim, claim);
    });

  test("left to one that moves and requires this one, which waits for this one to stand", async () => {
    const needy = moving("a");
    const requires = JSON.stringify([{ module: "b", of: ["b"] }]);
    const needs = { ...needy.metadata.annotations, [ANNOTATIONS.requires]: requires };
    const one = { ...needy, metadata: { ...needy.metadata, annotations: needs } } as typeof needy;
    const [ofProvider] = await claimed(moving("b"), [one], [found(SHARED, "b")]);
    assert.deepEqual(ofProvider?.claim, { by: "a", isPassing: false });
    const [ofNeedy] = await claimed(one, [moving("b")], [found(SHARED, "b")]);
    assert.deepEqual(ofNeedy?.claim, { by: "b", isPassing: true });
  });

  test("that of another Kyma's module in the same cluster, as long as that is there", async () => {
    const [one] = await claimed(going("a"), [], [found(SHARED, "rt-2-x")], ["rt-2-x"]);
    assert.deepEqual(one?.claim, { by: "rt-2-x", isPassing: false });
    const [gone] = await claimed(going("a"), [], [found(SHARED, "rt-2-x")]);
    assert.equal(gone?.claim, undefined);
  });

  test("nobody's business where nothing is to be deleted", async () => {
    const objects = [{ entry: SHARED, live: undefined }, found(entry("Namespace", "kyma-system"), "a")];
    const nobody = () => assert.fail("nobody is asked");
    assert.deepEqual(await withClaims(going("a"), objects, { siblings: nobody, isThere: nobody }), objects);
  });
});

describe("a module that goes", () => {
  const there: ClusterState = {
    ...{ state: "reachable", cluster: "rt-1", reason: "" },
    wait: { for: "rt-1 to answer" },
  };
  const removal = async (...of: Parameters<typeof claimed>) => {
    const outcome = manifestDeletion(of[0], { step: "removal", there, found: await claimed(...of) }, NOW);
    const results = Object.assign(() => ({ state: "not run" as const }), {
      ok: true,
      failed: [],
      within: () => ({ ok: true, failed: [] }),
    });
    const ending = "conclude" in outcome ? outcome.conclude?.(results) : outcome;
    return { text: JSON.stringify("effects" in outcome ? outcome.effects : []), ending };
  };

  test("leaves what another one has, and says so", async () => {
    const { text, ending } = await removal(
      going("a", [SHARED, OWN]),
      [manifest("b")],
      [found(SHARED, "a"), found(OWN, "a")],
    );
    assert.match(text, /"effect":"remove".*"name":"own"/);
    assert.doesNotMatch(text, /"effect":"remove"[^}]*"kind":"Namespace"/);
    assert.match(text, /ObjectLeft.*Namespace shared-system stays: it belongs to Manifest b/);
    assert.deepEqual(ending && "status" in ending && ending.status?.synced, [OWN]);
  });

  test("is over once all that is left is another one's", async () => {
    const { text, ending } = await removal(going("a"), [manifest("b")], [found(SHARED, "a")]);
    assert.match(text, /ObjectLeft/);
    assert.equal(ending && "finalized" in ending && ending.finalized, true);
  });

  test("waits for another one that goes before it deletes what both have", async () => {
    const { text, ending } = await removal(going("b"), [going("a")], [found(SHARED, "b")]);
    assert.equal(text, "[[],[]]");
    assert.ok(ending !== undefined && "status" in ending && "waitingFor" in ending);
    assert.match(ending.status?.lastOperation?.operation ?? "", /Manifest a has Namespace shared-system too/);
    assert.ok(ending.waitingFor?.some(({ object }) => object?.kind === "Manifest" && object.name === "a"));
  });
});
