import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { TerminalError } from "../../../../shared/function/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { InjectedSecret, Kyma } from "../../kinds/index.ts";
import { runtimePass } from "./index.ts";
import { copyOfPullSecret, observePullSecret, type PullSecret, pullSecretWaits } from "./pull-secret.ts";

const NOW = "2026-02-03T10:00:00.000Z";
const TYPE = "kubernetes.io/dockerconfigjson";
const DATA = { ".dockerconfigjson": "e30=" };
const raw = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: {
    name: "pull",
    namespace: "kcp-system",
    uid: "u",
    resourceVersion: "7",
    labels: { mine: "yes" },
  },
  type: TYPE,
  data: DATA,
};
const secret = parseObject(InjectedSecret, raw);
const THERE: PullSecret = { name: "pull", state: "there", type: TYPE, data: DATA };

const kyma = (conditions: readonly object[] = []) =>
  parseObject(Kyma, {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "Kyma",
    metadata: { name: "rt-1", namespace: "kcp-system", uid: "u", resourceVersion: "1" },
    spec: { channel: "regular" },
    status: { conditions },
  });
/** The ending of a pass in which every effect is done, but the copy where that is refused. */
function ending(world: PullSecret | undefined, { name = "pull", refused = "" } = {}) {
  const outcome = runtimePass(kyma(), { step: "local", pullSecret: world }, name, NOW);
  assert.ok("conclude" in outcome && outcome.conclude !== undefined);
  const results = Object.assign(
    () =>
      refused === ""
        ? { state: "done" as const, value: undefined as never, changed: true }
        : { state: "failed" as const, error: { code: "KUBE_INVALID", message: refused, retryable: false } },
    { ok: refused === "", failed: [], within: () => ({ ok: true, failed: [] }) },
  );
  return { outcome, concluded: outcome.conclude(results) };
}
const verdictOf = (...args: Parameters<typeof ending>) => {
  const { concluded } = ending(...args);
  const [condition] = "status" in concluded ? (concluded.status?.conditions ?? []) : [];
  return [condition?.type, condition?.status, condition?.reason, condition?.message];
};

describe("the Secret with which images are pulled", () => {
  test("is asked for only where one is configured", async () => {
    const nobody = () => assert.fail("nobody may ask for it");
    assert.equal(await observePullSecret(undefined, nobody), undefined);
    assert.deepEqual(await observePullSecret("pull", async () => secret), THERE);
    assert.deepEqual(await observePullSecret("pull", async () => undefined), {
      name: "pull",
      state: "missing",
    });
  });

  test("is told from one that may not be read, and any other failure is one", async () => {
    const refusal = new TerminalError("not admitted", { code: "KIND_NOT_ADMITTED" });
    assert.deepEqual(await observePullSecret("pull", () => Promise.reject(refusal)), {
      name: "pull",
      state: "refused",
    });
    const broken = new Error("the server is away");
    await assert.rejects(
      observePullSecret("pull", () => Promise.reject(broken)),
      broken,
    );
  });

  test("is copied with its type and content, and with nothing else of it", () => {
    const text = JSON.stringify(copyOfPullSecret(THERE, "rt-1"));
    for (const part of ['"cluster":"rt-1"', '"namespace":"kyma-system"', '"name":"pull"', TYPE, "e30="])
      assert.ok(text.includes(part), part);
    assert.ok(!text.includes("mine"));
    assert.equal(copyOfPullSecret({ name: "pull", state: "missing" }, "rt-1"), undefined);
  });

  test("stands in a condition, with upstream's reason", () => {
    const said = (world: PullSecret, options = {}) => verdictOf(world, options);
    assert.deepEqual(said(THERE), ["SKRImagePullSecretSync", "True", "Ready", ""]);
    const [type, status, reason, message] = said({ name: "pull", state: "missing" });
    assert.deepEqual([type, status, reason], ["SKRImagePullSecretSync", "False", "Ready"]);
    assert.match(message ?? "", /^Waiting for the Secret kcp-system\/pull, .*create it/);
    assert.match(said({ name: "pull", state: "refused" })[3] ?? "", /add secrets\/pull to injectedSecrets/);
    assert.match(said(THERE, { refused: "its type is immutable" })[3] ?? "", /: its type is immutable$/);
  });

  test("is waited for at home, unless it may not be read", () => {
    const waited = (world: PullSecret | undefined) =>
      pullSecretWaits(world).map(({ object }) => [object?.namespace, object?.name, object?.cluster]);
    assert.deepEqual(waited({ name: "pull", state: "missing" }), [["kcp-system", "pull", undefined]]);
    assert.deepEqual(waited(THERE), [["kcp-system", "pull", undefined]]);
    assert.deepEqual(waited({ name: "pull", state: "refused" }), []);
    assert.deepEqual(waited(undefined), []);
  });

  test("is spoken of no more once none is configured", () => {
    const stored = {
      type: "SKRImagePullSecretSync",
      status: "True",
      reason: "Ready",
      message: "",
      lastTransitionTime: NOW,
    };
    const world = { step: "local", pullSecret: undefined } as const;
    const outcome = runtimePass(kyma([stored]), world, undefined, NOW);
    assert.deepEqual("status" in outcome && outcome.status, { conditions: [] });
    assert.equal("status" in runtimePass(kyma(), world, undefined, NOW), false);
  });

  test("tells no failure but its own: that of another write ends the run", () => {
    const { outcome } = ending(THERE);
    assert.ok("conclude" in outcome && outcome.conclude !== undefined);
    const error = { code: "KUBE_INVALID", message: "the namespace is refused", retryable: false };
    const { conclude } = outcome;
    const other = { plan: {} } as never;
    const results = Object.assign(() => ({ state: "not run" as const }), {
      ok: false,
      failed: [{ effect: other, error }],
      within: () => ({ ok: false, failed: [] }),
    });
    assert.throws(() => conclude(results), /the namespace is refused/);
  });
});
