import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { ClusterState, EffectError } from "../../../../shared/function/index.ts";
import { KubeError } from "../../../../shared/kube/errors.ts";
import { Secret } from "../../../../shared/kube/kinds/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { configuration } from "../../configuration.ts";
import { CertificateObject, Kyma, LABELS, Manifest } from "../../kinds/index.ts";
import { type DeletionWorld, kymaDeletion, observeDeletion } from "./index.ts";

const NOW = "2026-02-03T10:00:00Z";
const named = (name: string) => ({ name, namespace: "kcp-system", uid: name, resourceVersion: "1" });
const kyma = (operation = "", others: readonly string[] = []) =>
  parseObject(Kyma, {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "Kyma",
    metadata: {
      ...named("rt-1"),
      deletionTimestamp: NOW,
      finalizers: ["operator.kyma-project.io/Kyma", ...others],
    },
    status: { state: "Deleting", lastOperation: { operation, lastUpdateTime: NOW } },
  });
const secret = parseObject(Secret, {
  apiVersion: "v1",
  kind: "Secret",
  metadata: named("rt-1-webhook-tls"),
});
const described = parseObject(CertificateObject, {
  apiVersion: "cert-manager.io/v1",
  kind: "Certificate",
  metadata: named("rt-1-webhook-tls"),
});
const gone: DeletionWorld = { manifests: [], left: { state: "none" }, certificate: {} };
const away: ClusterState = {
  ...{ state: "unreachable", cluster: "rt-1", reason: "it is away" },
  wait: { for: "rt-1 to answer" },
};

/** The ending of a pass of which every effect is done, or one failed. */
function ended(outcome: ReturnType<typeof kymaDeletion>, error?: EffectError) {
  if (!("conclude" in outcome) || outcome.conclude === undefined) return assert.fail("it is gone");
  const failed = error === undefined ? [] : [{ effect: { plan: {} } as never, error }];
  const all = { ok: failed.length === 0, failed };
  const result = { state: "not run" as const };
  return outcome.conclude(Object.assign(() => result, { ...all, within: () => all }));
}

describe("a Kyma that is deleted", () => {
  test("takes the certificate of its runtime along, although the runtime is gone", () => {
    const outcome = kymaDeletion(kyma(), { ...gone, certificate: { secret } }, NOW);
    assert.match(JSON.stringify(outcome.effects), /"effect":"remove".*rt-1-webhook-tls/);
    assert.equal("finalized" in outcome, false);
    assert.equal("finalized" in kymaDeletion(kyma(), gone, NOW), true);
  });
  test("says at its end whose finalizers keep it", () => {
    const outcome = kymaDeletion(kyma("", ["example.org/one", "example.org/two"]), gone, NOW);
    assert("status" in outcome && outcome.finalized === true);
    assert.match(
      outcome.status?.lastOperation?.operation ?? "",
      /It stays as long as its finalizers name example\.org\/one, example\.org\/two\.$/,
    );
  });
  test("takes what others make the certificate by before its Secret", () => {
    const { effects } = kymaDeletion(kyma(), { ...gone, certificate: { described, secret } }, NOW);
    assert.match(JSON.stringify(effects), /"inOrder":\[.*"Certificate".*"Secret"/);
  });
  test("says each step once, and what cannot go on as a warning", () => {
    const step = { ...gone, certificate: { secret } };
    const first = kymaDeletion(kyma(), step, NOW);
    assert.match(JSON.stringify(first.effects), /Normal.*CertificateDeleted/);
    const operation = ended(first).status?.lastOperation?.operation;
    assert.doesNotMatch(
      JSON.stringify(kymaDeletion(kyma(operation), step, NOW).effects),
      /CertificateDeleted/,
    );
    const stuck = kymaDeletion(kyma(), { ...gone, left: { state: "away", there: away } }, NOW);
    assert.match(JSON.stringify(stuck.effects), /Warning.*RuntimeAway.*it is away/);
  });
});

test.each([
  ["for good", { code: "KUBE_INVALID", status: 422, retryable: false }, "2026-02-03T10:05:00.000Z"],
  [
    "for want of a right",
    { code: "KUBE_FORBIDDEN", status: 403, retryable: true },
    "2026-02-03T10:00:30.000Z",
  ],
])("a step that a server refuses %s is told, stays the step, and is tried again", (_, error, refused) => {
  const step = { ...gone, certificate: { secret } };
  const { status, wakeAt } = ended(kymaDeletion(kyma(), step, NOW), {
    ...error,
    message: "a webhook says no",
  });
  const operation = "It waits for the certificate of its runtime to go: a webhook says no";
  assert.deepEqual([status?.state, status?.lastOperation?.operation], ["Deleting", operation]);
  assert.deepEqual(wakeAt, { refused });
  assert.doesNotMatch(JSON.stringify(kymaDeletion(kyma(operation), step, NOW).effects), /CertificateDeleted/);
});

test("a step that came too late is tried again without a word", () => {
  const late = { code: "KUBE_STALE", status: 409, retryable: true, message: "it changed" };
  const end = ended(kymaDeletion(kyma(), { ...gone, certificate: { secret } }, NOW), late);
  assert.match(end.status.lastOperation?.operation ?? "", /to go\.$/);
  assert.deepEqual([end.wakeAt, "retry" in end && end.retry], [undefined, true]);
});

describe("the status of a Kyma that is deleted", () => {
  const template = { kind: "ModuleTemplate", metadata: { name: "alpha-1.0.0" } };
  const condition = (type: string) => ({
    ...{ type, status: "True", reason: "Ready", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
  });
  const stored = parseObject(Kyma, {
    ...{ apiVersion: "operator.kyma-project.io/v1beta2", kind: "Kyma" },
    metadata: { ...named("rt-1"), deletionTimestamp: NOW, finalizers: ["operator.kyma-project.io/Kyma"] },
    status: {
      state: "Deleting",
      modules: [{ name: "alpha", state: "Ready", template }],
      conditions: [condition("Modules"), condition("MandatoryModules")],
    },
  });
  const manifest = (module: string, labels: Readonly<Record<string, string>> = {}, state = "Deleting") =>
    parseObject(Manifest, {
      ...{ apiVersion: "operator.kyma-project.io/v1beta2", kind: "Manifest" },
      metadata: {
        ...named(`rt-1-${module}`),
        deletionTimestamp: NOW,
        labels: { [LABELS.kymaName]: "rt-1", [LABELS.moduleName]: module, ...labels },
      },
      spec: { remote: true, version: "1.0.0", install: { name: "raw-manifest", source: {} } },
      status: { state, lastOperation: { operation: "Objects go.", lastUpdateTime: NOW } },
    });
  const alpha = manifest("alpha");
  const audit = manifest("audit", { [LABELS.mandatoryModule]: "true" });
  const ROWS: Readonly<
    Record<
      string,
      readonly [left: readonly (typeof alpha)[], shown: readonly string[], says: readonly string[]]
    >
  > = {
    "modules of both sorts": [
      [alpha, audit],
      ["alpha"],
      [
        "Modules False Not ready: alpha.",
        "MandatoryModules False 0 of 1 are Ready: audit is Deleting. Objects go.",
      ],
    ],
    "a module that each cluster gets": [
      [audit],
      [],
      ["Modules True ", "MandatoryModules False 0 of 1 are Ready: audit is Deleting. Objects go."],
    ],
    "a module of its user": [[alpha], ["alpha"], ["Modules False Not ready: alpha."]],
    none: [[], [], ["Modules True "]],
  };
  test("says nothing of a module that its Manifest said before it was to go", () => {
    const manifests = [manifest("alpha", {}, "Ready")];
    const outcome = kymaDeletion(stored, { ...gone, manifests, left: { state: "away", there: away } }, NOW);
    assert.deepEqual(
      ended(outcome).status?.modules?.map(({ state, message }) => [state, message]),
      [["Deleting", undefined]],
    );
  });
  for (const [title, [manifests, shown, says]] of Object.entries(ROWS))
    test(`shows what its user listed, and sums up the rest: ${title}`, () => {
      const world = { ...gone, manifests, certificate: { secret } };
      const status = ended(kymaDeletion(stored, world, NOW)).status ?? assert.fail("it says nothing");
      assert.deepEqual(
        (status.modules ?? []).map(({ name }) => name),
        shown,
      );
      assert.deepEqual(
        status.conditions.map(({ type, status: holds, message }) => `${type} ${holds} ${message}`),
        says,
      );
      assert.deepEqual(
        (status.modules ?? []).map((one) => one.template),
        shown.map(() => template),
      );
    });
});

describe("the certificate of a Kyma that is deleted", () => {
  const watcher = { address: "events.example.org", image: "watcher:1" };
  const observed = async (settings: object, certificate = async () => described) => {
    const asked: string[] = [];
    const world = await observeDeletion(kyma(), configuration.parse(settings), {
      manifests: async () => [],
      there: async () => ({ ...away, state: "no secret" }),
      kyma: async () => assert.fail("the runtime is gone"),
      definition: async () => assert.fail("the runtime is gone"),
      object: async () => assert.fail("the runtime is gone"),
      secret: async (name) => {
        asked.push(`Secret ${name}`);
        return secret;
      },
      certificate: async ({ apiVersion, name }) => {
        asked.push(`${apiVersion} ${name}`);
        return certificate();
      },
    });
    return { asked, ...world.certificate };
  };
  test("is looked for where it may lie", async () => {
    const SECRET = "Secret rt-1-webhook-tls";
    assert.deepEqual((await observed({ target: "local" })).asked, []);
    assert.deepEqual((await observed({})).asked, [SECRET]);
    assert.deepEqual((await observed({ watcher })).asked, [SECRET]);
    const others = await observed({ watcher: { ...watcher, issuer: "gardener" } });
    assert.deepEqual(others.asked.toSorted(), [SECRET, "cert.gardener.cloud/v1alpha1 rt-1-webhook-tls"]);
    assert.deepEqual([others.described, others.secret], [described, secret]);
  });
  test("is its Secret alone where the kind of the other is gone", async () => {
    const missing = new KubeError("kindMissing", "no such kind", { request: "GET" });
    const settings = { watcher: { ...watcher, issuer: "certManager" } };
    const found = await observed(settings, () => Promise.reject(missing));
    assert.deepEqual([found.described, found.secret], [undefined, secret]);
  });
});
