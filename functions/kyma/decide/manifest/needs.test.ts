// What a module requires of its runtime and of other modules: DEP1, DEP2, DEP4, DEP5, DEP8, DEP10.
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Effects, Obj, Results } from "../../../../shared/function/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import { ANNOTATIONS, LABELS, Manifest, RuntimeObject, type WrittenRequirement } from "../../kinds/index.ts";
import { dependencyAnnotations, type Provider } from "../dependencies/index.ts";
import { heldBack, withNeeds } from "./grace.ts";
import { installation } from "./install.ts";
import { entryOf } from "./inventory.ts";
import { observeNeeds } from "./needs.ts";
import { DEFINITIONS } from "./users.ts";
import type { InstallWorld, Live, Need } from "./world.ts";

const NOW = "2026-03-01T12:00:00Z";
const after = (minutes: number): string => new Date(Date.parse(NOW) + minutes * 60_000).toISOString();
const CRD = { group: "acme.test", kind: "Store", version: "v1" };
const DIGEST = "sha256:1";

const manifest = (
  requires: readonly WrittenRequirement[],
  { status, synced }: { readonly status?: object; readonly synced?: string } = {},
): Obj<typeof Manifest> =>
  parseObject(Manifest, {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "Manifest",
    metadata: {
      ...{ name: "rt-1-needy", namespace: "kcp-system", uid: "u", resourceVersion: "1" },
      creationTimestamp: NOW,
      annotations: {
        ...dependencyAnnotations(requires, []),
        ...(synced !== undefined && { [ANNOTATIONS.syncedArtifact]: synced }),
      },
    },
    spec: {
      remote: true,
      install: { name: "raw-manifest", source: { type: "oci-ref", repo: "r", name: "n", ref: DIGEST } },
    },
    ...(status !== undefined && { status }),
  });

interface Defined {
  readonly established?: "True" | "False";
  readonly served?: readonly string[];
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
}
const definition = ({
  established = "True",
  served = ["v1"],
  deletionTimestamp,
  labels = {},
}: Defined): Live =>
  parseObject(
    RuntimeObject,
    {
      ...DEFINITIONS,
      metadata: {
        ...{ name: "stores.acme.test", uid: "u", resourceVersion: "1", labels },
        ...(deletionTimestamp !== undefined && { deletionTimestamp }),
      },
      spec: {
        group: CRD.group,
        names: { kind: CRD.kind },
        versions: served.map((name) => ({ name, served: true })),
      },
      status: { conditions: [{ type: "Established", status: established }] },
    },
    "rt-1",
  );
const sibling = (state: string): Provider => ({
  metadata: {},
  spec: { version: "1.0.0" },
  status: { state },
});

const needsOf = (
  self: Obj<typeof Manifest>,
  {
    defined,
    siblings = {},
  }: { readonly defined?: Defined | undefined; readonly siblings?: Readonly<Record<string, string>> },
): Promise<readonly Need[]> =>
  observeNeeds(self, {
    definitions: async () => (defined === undefined ? [] : [definition(defined)]),
    sibling: async (name) => {
      const state = siblings[name];
      return state === undefined ? undefined : sibling(state);
    },
  });

describe("what a module requires", () => {
  const crd = [{ crd: CRD }];
  const capability = [{ capability: "storage", of: ["rt-1-one", "rt-1-two"] }];
  const module = [{ module: "one", of: ["rt-1-one"] }];
  test.each([
    ["a kind that nobody defines", crd, {}, false],
    ["a kind that is not established yet (DEP1)", crd, { defined: { established: "False" } }, false],
    ["a kind that is established (DEP1)", crd, { defined: {} }, true],
    ["a kind that is served in another version", crd, { defined: { served: ["v2"] } }, false],
    ["a kind that is served in several versions", crd, { defined: { served: ["v1beta1", "v1"] } }, true],
    ["a kind whose definition goes", crd, { defined: { deletionTimestamp: NOW } }, false],
    ["a module that is ready (DEP1)", module, { siblings: { "rt-1-one": "Ready" } }, true],
    ["a module that is in work", module, { siblings: { "rt-1-one": "Processing" } }, false],
    ["a module in Warning", module, { siblings: { "rt-1-one": "Warning" } }, false],
    ["a module that is not installed", module, {}, false],
    ["a capability that nobody has", [{ capability: "storage", of: [] }], {}, false],
    ["a capability that the first has (DEP10)", capability, { siblings: { "rt-1-one": "Ready" } }, true],
    [
      "a capability that the second has (DEP10)",
      capability,
      { siblings: { "rt-1-one": "Error", "rt-1-two": "Ready" } },
      true,
    ],
    [
      "a capability that neither has yet (DEP10)",
      capability,
      { siblings: { "rt-1-one": "Error", "rt-1-two": "Processing" } },
      false,
    ],
  ] satisfies readonly (readonly [string, WrittenRequirement[], Parameters<typeof needsOf>[1], boolean])[])(
    "%s",
    async (_, requires, runtime, isMet) => {
      const [need] = await needsOf(manifest(requires), runtime);
      assert.equal(need?.isMet, isMet);
    },
  );

  test("is waited for at each object that may bring or take it, whether it is there or not", async () => {
    const [stores, storage] = await needsOf(manifest([...crd, ...capability]), { defined: {} });
    assert.deepEqual(
      [stores, storage].map((need) => need?.waits.map(({ of, isAtHome }) => [of.kind, of.name, isAtHome])),
      [
        [["CustomResourceDefinition", "stores.acme.test", undefined]],
        [
          ["Manifest", "rt-1-one", true],
          ["Manifest", "rt-1-two", true],
        ],
      ],
    );
    const [absent] = await needsOf(manifest(crd), {});
    assert.deepEqual(
      absent?.waits.map(({ of }) => [of.apiVersion, of.kind]),
      [["acme.test/v1", "Store"]],
    );
  });
});

const object = (apiVersion: string, kind: string, name: string): ApplicableObject => ({
  apiVersion,
  kind,
  metadata: { name, labels: {}, annotations: {} },
});
const OBJECTS = [
  object("apps/v1", "Deployment", "operator"),
  object("v1", "ConfigMap", "settings"),
  object(DEFINITIONS.apiVersion, DEFINITIONS.kind, "needys.acme.test"),
  object("v1", "Namespace", "needy"),
];
const worldOf = (needs: readonly Need[], own: Defined = {}): InstallWorld => ({
  artifact: { state: "known", objects: OBJECTS, unplaced: [] },
  definitions: new Map([["needys.acme.test", definition(own)]]),
  surplus: [],
  isTruncated: false,
  operator: undefined,
  resource: undefined,
  needs,
  grace: "5m",
});
/** `apply Kind`, `patch Kind`, in order. */
function writesOf(effects: Effects): readonly string[] {
  if (Array.isArray(effects)) return effects.flatMap(writesOf);
  if ("inOrder" in effects) return effects.inOrder.flatMap(writesOf);
  if (!("plan" in effects)) return assert.fail("they are lists");
  const { plan } = effects;
  if (plan.effect === "apply") return [`apply ${plan.body.kind}`];
  return plan.effect === "patch" ? [`patch ${plan.kind.kind}`] : assert.fail(plan.effect);
}
const NOTHING_FAILED: Results = Object.assign(() => ({ state: "not run" as const }), {
  ok: true,
  failed: [],
  within: () => ({ ok: true, failed: [] }),
});
const FIRST = ["apply CustomResourceDefinition", "apply Namespace"];
const ALL = [...FIRST, "apply Deployment", "apply ConfigMap"];
const recorded = { synced: OBJECTS.map(entryOf) };

/** The decision about a module that was recorded, and applied before where it `stands`. */
async function decided(
  requires: readonly WrittenRequirement[],
  runtime: Parameters<typeof needsOf>[1],
  { stands = false, status = {} }: { readonly stands?: boolean; readonly status?: object } = {},
  now = NOW,
) {
  const self = manifest(requires, {
    status: { ...recorded, state: stands ? "Ready" : "Processing", ...status },
    ...(stands && { synced: DIGEST }),
  });
  const work = installation(self, "rt-1", worldOf(await needsOf(self, runtime)), now);
  return { writes: writesOf(work.effects), ...work.report(NOTHING_FAILED) };
}

describe("a module whose requirement is missing", () => {
  test("brings its definitions and is held back: no error, and no timer but the grace (DEP2)", async () => {
    const held = await decided([{ crd: CRD }], {});
    assert.deepEqual([held.writes, held.state], [FIRST, "Processing"]);
    assert.equal(held.message, "waits for the kind Store of acme.test/v1");
    assert.deepEqual(held.wakeAt, { dependency: after(5) });
    assert.equal(held.again, undefined);
    assert.equal(held.waits?.length, 1);
  });
  test("goes on waiting since when it said so, and is in Warning after the grace (DEP5)", async () => {
    const waiting = {
      state: "Processing",
      lastOperation: { operation: "waits for the kind Store of acme.test/v1", lastUpdateTime: NOW },
    };
    const late = await decided([{ crd: CRD }], {}, { status: waiting }, after(4));
    assert.deepEqual([late.state, late.wakeAt], ["Processing", { dependency: after(5) }]);
    const overdue = await decided([{ crd: CRD }], {}, { status: waiting }, after(5));
    assert.deepEqual([overdue.state, overdue.wakeAt], ["Warning", undefined]);
    assert.match(overdue.message, /more than 5m for the kind Store of acme\.test\/v1/);
    assert.equal(overdue.waits?.length, 1, "it is woken by what it waits for all the same");
  });
  test("is applied whole once it is there", async () => {
    const { writes, state } = await decided([{ crd: CRD }], { defined: {} });
    assert.deepEqual([writes, state], [[...ALL, "patch Manifest"], "Ready"]);
  });
  test("is installed all the same where it is optional, and tells what it could use (DEP4)", async () => {
    const optional = [{ crd: CRD, optional: true }];
    const without = await decided(optional, {});
    assert.deepEqual([without.writes, without.state], [[...ALL, "patch Manifest"], "Ready"]);
    assert.match(without.message, /it could use the kind Store of acme\.test\/v1$/);
    assert.equal(without.waits?.length, 1, "its coming wakes, once");
    assert.equal(without.wakeAt, undefined);
    const withIt = await decided(optional, { defined: {} }, { stands: true });
    assert.equal(withIt.message, "the module is installed");
  });
  test("stays as it is where that went later, in Warning, and is Ready again with it (DEP8)", async () => {
    const required = [{ module: "one", of: ["rt-1-one"] }];
    const lost = await decided(required, {}, { stands: true });
    assert.deepEqual([lost.writes, lost.state], [ALL, "Warning"]);
    assert.match(lost.message, /is installed, and misses the module one, which is not installed yet/);
    const back = await decided(required, { siblings: { "rt-1-one": "Ready" } }, { stands: true });
    assert.deepEqual([back.writes, back.state], [ALL, "Ready"]);
  });
  test("is no worse than what else is wrong with it", () => {
    const need: Need = { what: "it", isMet: false, isHard: true, waits: [] };
    assert.equal(withNeeds({ state: "Error", message: "refused" }, [need]).state, "Error");
    assert.equal(heldBack(manifest([], { synced: "sha256:0" }), [need], "5m", NOW).state, "Warning");
  });
});

test("of two modules that define one kind the first keeps it, and the other says whose it is (DEP10)", async () => {
  const labels = {
    [LABELS.managedBy]: "kyma",
    "app.kubernetes.io/component": "rt-1-first",
  };
  const world = worldOf([], { labels });
  const work = installation(
    manifest([], { status: { ...recorded, state: "Processing" } }),
    "rt-1",
    world,
    NOW,
  );
  const report = work.report(NOTHING_FAILED);
  assert.deepEqual([writesOf(work.effects), report.state], [[], "Error"]);
  assert.match(report.message, /stores\.acme\.test belongs to Manifest rt-1-first: take it out of one/);
  assert.deepEqual(
    report.waits?.map(({ of }) => of.name),
    ["stores.acme.test"],
  );
});
