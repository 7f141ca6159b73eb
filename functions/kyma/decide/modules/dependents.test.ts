import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Effects, Results } from "../../../../shared/function/index.ts";
import { apiVersionOf, type KubeObject } from "../../../../shared/kube/object.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { configuration } from "../../configuration.ts";
import {
  ANNOTATIONS,
  Kyma,
  KymaPolicy,
  LABELS,
  Manifest,
  ModuleReleaseMeta,
  ModuleTemplate,
} from "../../kinds/index.ts";
import { manifestName } from "../manifest/index.ts";
import { isConcernedBy, kymaPass, observeKyma } from "./index.ts";

const NOW = "2026-02-03T10:00:00.000Z";
type Tree = Readonly<Record<string, unknown>>;
const raw = (
  kind: { readonly group: string; readonly version: string; readonly kind: string },
  name: string,
  { labels = {}, annotations = {}, deletionTimestamp, ...rest }: Tree,
): KubeObject =>
  ({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      ...{ name, namespace: "kcp-system", uid: `uid-${name}`, resourceVersion: "1", generation: 1 },
      ...{ labels, annotations },
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    },
    ...rest,
  }) as KubeObject;

const STORE = { group: "acme.test", kind: "Store", version: "v1" };
const WAITS = "waits for the kind Store of acme.test/v1";
const object = { apiVersion: "acme.test/v1", kind: "Store", metadata: { name: "default" } };

interface Catalogued {
  /** More of its ModuleTemplate's spec. */
  readonly template?: Tree | undefined;
  /** Its Manifest's state and last operation; absent: it is not installed. */
  readonly stands?: readonly [state: string, operation?: string];
  readonly resource?: Tree;
  /** The version that is installed, where that is another one. */
  readonly installed?: string;
  /** The requirements that its Manifest keeps. */
  readonly keeps?: readonly Tree[];
  readonly mandatory?: true;
  /** Its ModuleTemplate is for Kymas that see such modules. */
  readonly isBeta?: true;
  /** The name of its ModuleReleaseMeta, where that is another one. */
  readonly named?: string;
  /** The component of its release, where that is another one than the installed. */
  readonly moved?: string;
  /** Its ModuleReleaseMeta is being deleted. */
  readonly isWithdrawn?: true;
  readonly isGone?: true;
}
interface Outcome {
  readonly status: NonNullable<ReturnType<typeof parsedKyma>["status"]>;
  readonly writes: readonly string[];
  readonly again: boolean | undefined;
  readonly listed: number;
}
const parsedKyma = (modules: readonly string[], status: Tree | undefined, managed = true) =>
  parseObject(
    Kyma,
    raw(Kyma, "rt", {
      spec: { channel: "regular", modules: modules.map((name) => ({ name, managed })) },
      ...(status !== undefined && { status }),
    }),
  );

/** The decision about a Kyma with these modules, by a catalog, where a policy may enforce some. */
async function decided(
  modules: readonly string[],
  catalog: Readonly<Record<string, Catalogued>>,
  before?: Tree,
  enforced: readonly string[] = [],
  managed = true,
): Promise<Outcome> {
  const self = parsedKyma(modules, before, managed);
  const component = (name: string): string => `acme.com/mods/${name}`;
  const releases = Object.entries(catalog).map(([name, { mandatory, named, moved, isWithdrawn }]) =>
    parseObject(
      ModuleReleaseMeta,
      raw(ModuleReleaseMeta, named ?? name, {
        deletionTimestamp: isWithdrawn && NOW,
        spec: {
          moduleName: name,
          ocmComponentName: moved ?? component(name),
          ...(mandatory
            ? { mandatory: { version: "1.0.0" } }
            : { channels: [{ channel: "regular", version: "1.0.0" }] }),
        },
      }),
    ),
  );
  const templates = Object.entries(catalog)
    .filter(([, { isGone }]) => isGone !== true)
    .map(([name, { template, isBeta }]) =>
      parseObject(
        ModuleTemplate,
        raw(ModuleTemplate, `${name}-1.0.0`, {
          labels: isBeta === undefined ? {} : { [LABELS.beta]: "true" },
          spec: { moduleName: name, version: "1.0.0", descriptor: {}, ...template },
        }),
      ),
    );
  const manifests = Object.entries(catalog).flatMap(
    ([name, { stands, resource, mandatory, keeps, installed = "1.0.0" }]) =>
      stands === undefined
        ? []
        : parseObject(
            Manifest,
            raw(Manifest, manifestName("rt", component(name), name), {
              labels: {
                [LABELS.kymaName]: "rt",
                [LABELS.moduleName]: name,
                ...(mandatory ? { [LABELS.mandatoryModule]: "true" } : { [LABELS.channel]: "regular" }),
              },
              annotations: keeps === undefined ? {} : { [ANNOTATIONS.requires]: JSON.stringify(keeps) },
              spec: {
                remote: true,
                version: installed,
                install: { name: "raw-manifest", source: {} },
                ...(resource !== undefined && { resource }),
              },
              status: {
                state: stands[0],
                ...(stands[1] !== undefined && {
                  lastOperation: { operation: stands[1], lastUpdateTime: NOW },
                }),
              },
            }),
          ),
  );
  const policy = raw(KymaPolicy, "central", {
    spec: { rank: 0, enforce: enforced.map((module) => ({ module })) },
  });
  let listed = 0;
  const config = configuration.parse({ target: "local" });
  const world = await observeKyma(
    self,
    { versions: false, target: "secret" },
    {
      components: {
        describe: async (name, version) => ({
          state: "described",
          component: {
            ...{ name, version, localizedImages: [] },
            source: { type: "oci-ref", repo: "r", name, ref: `sha256:${version}` },
          },
        }),
        layer: async () => assert.fail("no artifact is read"),
      },
      releases: async () => releases,
      policies: async () => (enforced.length === 0 ? [] : [parseObject(KymaPolicy, policy)]),
      manifests: async () => manifests,
      template: async (name) => templates.find(({ metadata }) => metadata.name === name),
      templates: async () => {
        listed += 1;
        return templates;
      },
    },
  );
  const outcome = kymaPass(self, world, config, NOW);
  const results: Results = Object.assign(() => ({ state: "not run" as const }), {
    ok: true,
    failed: [],
    within: () => ({ ok: true, failed: [] }),
  });
  const { status, again } = outcome.conclude(results);
  assert.ok(status);
  return { status, again, writes: writesOf(outcome.effects), listed };
}
/** `apply NAME`, `remove NAME`, of Manifests by their modules. */
function writesOf(effects: Effects): readonly string[] {
  if (Array.isArray(effects)) return effects.flatMap(writesOf);
  if ("inOrder" in effects) return writesOf(effects.inOrder);
  if (!("plan" in effects)) return assert.fail("they are lists");
  const { plan } = effects;
  if (plan.effect === "apply") return [`apply ${plan.body.metadata?.labels?.[LABELS.moduleName]}`];
  return plan.effect === "remove" ? [`remove ${plan.kind.kind}`] : assert.fail(plan.effect);
}
const moduleIn = ({ status }: Outcome, name: string) => status.modules?.find((one) => one.name === name);
const mandatoryIn = ({ status }: Outcome) =>
  status.conditions?.find(({ type }) => type === "MandatoryModules");

describe("a module that others require", () => {
  const needy = (requires: object): Catalogued => ({
    template: { requires: [requires] },
    stands: ["Ready"],
  });
  for (const [title, requires, provider] of [
    ["by its name", { module: "store" }, {}],
    ["by its kind", { crd: STORE }, { resource: object, template: { data: object } }],
    ["by a kind of its users' objects", { crd: STORE }, { template: { associatedResources: [STORE] } }],
  ] as const)
    test(`goes once it and they have said so: required ${title} (DEP9)`, async () => {
      const catalog = { needy: needy(requires), store: { stands: ["Ready"], ...provider } } as const;
      const first = await decided(["needy"], catalog);
      assert.deepEqual(first.writes, ["apply needy"]);
      assert.equal(first.again, true);
      const [store, other] = [moduleIn(first, "store"), moduleIn(first, "needy")];
      assert.deepEqual([store?.state, other?.state], ["Warning", "Warning"]);
      assert.match(store?.message ?? "", /It goes although needy requires it\./);
      assert.match(other?.message ?? "", /It requires store, which is disabled\./);
      const second = await decided(["needy"], catalog, first.status);
      assert.deepEqual(second.writes, ["apply needy", "remove Manifest"]);
      assert.equal(moduleIn(second, "store")?.state, "Deleting");
      assert.equal(second.again, false);
    });
  test("goes at once where each cluster had it: no status could warn of it first", async () => {
    const outcome = await decided(["needy"], {
      needy: needy({ module: "store" }),
      store: { stands: ["Ready"], mandatory: true, isWithdrawn: true },
    });
    assert.deepEqual(outcome.writes, ["apply needy", "remove Manifest"]);
    assert.equal(outcome.again, false);
    assert.equal(moduleIn(outcome, "needy")?.state, "Warning");
  });
  test("stays where a policy enforces it, whoever disables it (DEP9)", async () => {
    const catalog = { needy: needy({ module: "store" }), store: { stands: ["Ready"] } } as const;
    const kept = await decided(["needy"], catalog, undefined, ["store"]);
    assert.deepEqual([...kept.writes].sort(), ["apply needy", "apply store"]);
    assert.equal(moduleIn(kept, "needy")?.state, "Ready");
    const second = await decided(["needy"], catalog, kept.status, ["store"]);
    assert.deepEqual([...second.writes].sort(), ["apply needy", "apply store"]);
  });
  test("goes at once where only an optional requirement names it", async () => {
    const optional = { module: "store", optional: true };
    const catalog = { needy: needy(optional), store: { stands: ["Ready"] } } as const;
    assert.deepEqual((await decided(["needy"], catalog)).writes, ["apply needy", "remove Manifest"]);
  });
  test("goes at once where they go as well", async () => {
    const catalog = { needy: needy({ module: "store" }), store: { stands: ["Ready"] } } as const;
    const { writes } = await decided([], catalog);
    assert.deepEqual(writes, ["remove Manifest", "remove Manifest"]);
  });
});

describe("a module that stays at its version (DEP10)", () => {
  const manifestOf = (module: string): string => manifestName("rt", `acme.com/mods/${module}`, module);
  const storage = (...modules: readonly string[]) => [
    { capability: "storage", of: modules.map(manifestOf).toSorted() },
  ];
  const providers = {
    one: { template: { provides: ["storage"] } },
    two: { template: { provides: ["storage"] } },
  };
  const held = (keeps: readonly Tree[]) =>
    decided(["needy", "two"], { ...providers, needy: { stands: ["Ready"], installed: "2.0.0", keeps } });
  test("is told who provides by now what it requires", async () =>
    assert.deepEqual((await held(storage("one"))).writes, ["apply needy", "apply two"]));
  test("is not touched where that is as it was", async () =>
    assert.deepEqual((await held(storage("two"))).writes, ["apply two"]));
});

describe("a requirement that nothing enabled does for (DEP7)", () => {
  const needy = (requires: object, operation?: string): Catalogued => ({
    template: { requires: [requires] },
    stands: operation === undefined ? ["Ready"] : ["Processing", operation],
  });
  const message = async (catalog: Readonly<Record<string, Catalogued>>) => {
    const outcome = await decided(["needy"], catalog);
    return { said: moduleIn(outcome, "needy")?.message ?? "", ...outcome };
  };
  test("names whoever provides a capability", async () => {
    const { said, status } = await message({
      needy: needy({ capability: "storage" }),
      one: { template: { provides: ["storage"] } },
      other: {},
    });
    assert.match(said, /provides the capability storage: enable one, which does\.$/);
    const waiting = parsedKyma(["needy"], status);
    assert.equal(isConcernedBy(waiting, "another"), true, "what the catalog gets may do");
    assert.equal(isConcernedBy(parsedKyma(["needy"], undefined), "another"), false);
  });
  test("names whose templates name a kind, once the runtime lacks it", async () => {
    const others = {
      one: { template: { data: object } },
      two: { template: { associatedResources: [{ group: "acme.test", kind: "Store", version: "v1" }] } },
      three: { template: { associatedResources: [{ group: "acme.test", kind: "Shop", version: "v1" }] } },
    };
    const { said, listed } = await message({ needy: needy({ crd: STORE }, WAITS), ...others });
    assert.match(said, /brings the kind Store of acme\.test\/v1: enable one or two, which does\.$/);
    assert.equal(listed, 1);
    const there = await message({ needy: needy({ crd: STORE }), ...others });
    assert.deepEqual([there.said, there.listed], ["", 0]);
  });
  test("names others where one that is listed may not be had", async () => {
    const waits = "waits for the capability storage, which nothing enabled provides";
    const outcome = await decided(["needy", "one"], {
      needy: needy({ capability: "storage" }, waits),
      one: { template: { provides: ["storage"] }, isBeta: true },
      two: { template: { provides: ["storage"] } },
    });
    assert.match(moduleIn(outcome, "needy")?.message ?? "", /enable two, which does\.$/);
  });
  test.each([
    [{}, /: enable it, the catalog has it\.$/],
    [{ isBeta: true }, /, and the catalog does not have it for this Kyma\.$/],
  ] as const)("names a module only where this Kyma may have it: %o", async (store, expected) => {
    const { said } = await message({ needy: needy({ module: "store" }), store });
    assert.match(said, expected);
  });
  test("says so where the catalog has nobody", async () => {
    const { said } = await message({ needy: needy({ crd: STORE }, WAITS) });
    assert.match(said, /and no module of the catalog says that it does\.$/);
  });
  test("does not name what each cluster gets, nor what is optional", async () => {
    const { said, listed } = await message({
      needy: needy({ capability: "storage", optional: true }),
      one: { template: { provides: ["storage"] } },
    });
    assert.deepEqual([said, listed], ["", 0]);
  });
});

describe("the condition of modules that each cluster gets", () => {
  test("is none without such modules", async () =>
    assert.equal(mandatoryIn(await decided(["one"], { one: {} })), undefined));
  test("is none any more once the last of them is gone", async () => {
    const before = await decided([], { audit: { mandatory: true, stands: ["Ready"] } });
    assert.equal(mandatoryIn(before)?.status, "True");
    assert.equal(mandatoryIn(await decided([], {}, before.status)), undefined);
  });
  test("counts them, and counts for nothing else", async () => {
    const { status, ...outcome } = await decided([], {
      audit: { mandatory: true, stands: ["Ready"] },
      guard: { mandatory: true, stands: ["Processing", "waits for its operator"] },
      watch: { mandatory: true },
    });
    const said = mandatoryIn({ status, ...outcome });
    assert.equal(said?.status, "False");
    assert.equal(said?.message, "1 of 3 are Ready: guard is Processing. waits for its operator");
    assert.equal(status.state, "Ready");
    assert.equal(status.modules, undefined);
  });
  test("is all that is said of one that a policy enforces as well, and no user lists", async () => {
    const { status } = await decided([], { audit: { mandatory: true, stands: ["Ready"] } }, undefined, [
      "audit",
    ]);
    assert.deepEqual([status.state, status.modules], ["Ready", undefined]);
  });
  test.each([{}, { named: "for-all" }])(
    "is no word of a user's who wants one left alone: it is looked after, and the entry is a Warning (%o)",
    async (more) => {
      const outcome = await decided(
        ["audit"],
        { audit: { mandatory: true, stands: ["Ready"], ...more } },
        undefined,
        [],
        false,
      );
      assert.equal(outcome.status.modules?.[0]?.state, "Warning");
      assert.match(outcome.status.modules?.[0]?.message ?? "", /^Each cluster has audit/);
      assert.deepEqual(outcome.writes, ["apply audit"]);
    },
  );
  test("holds none of them to what is installed: another version comes, an older one too", async () => {
    const audit = { mandatory: true, stands: ["Ready"], installed: "1.1.0" } as const;
    assert.deepEqual((await decided([], { audit })).writes, ["apply audit"]);
  });
  test("keeps the one that is installed where the release names another component", async () => {
    const outcome = await decided([], {
      audit: { mandatory: true, stands: ["Ready"], moved: "b.test/mods/audit" },
    });
    assert.deepEqual(outcome.writes, []);
    const told = /audit is Error\. b\.test\/mods\/audit is another component.*or delete that/;
    assert.match(mandatoryIn(outcome)?.message ?? "", told);
  });
  test("is true once all are Ready", async () => {
    const said = mandatoryIn(await decided([], { audit: { mandatory: true, stands: ["Ready"] } }));
    assert.deepEqual([said?.status, said?.message], ["True", "1 of 1 are Ready."]);
  });
  test.each([
    ["a version that the catalog lacks", { isGone: true }, /no ModuleTemplate audit-1\.0\.0/],
    ["a circle", { template: { requires: [{ module: "audit" }] } }, /audit → audit/],
  ] as const)("tells the worst: %s", async (_, more, expected) => {
    const said = mandatoryIn(
      await decided([], {
        audit: { mandatory: true, ...more } as Catalogued,
        guard: { mandatory: true, stands: ["Warning"] },
      }),
    );
    assert.match(said?.message ?? "", expected);
  });
});
