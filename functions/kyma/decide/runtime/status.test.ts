import assert from "node:assert/strict";
import { test } from "vitest";
import type { ClusterState, EffectError } from "../../../../shared/function/index.ts";
import { KubeError } from "../../../../shared/kube/errors.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { Kyma, RuntimeKyma, runtimeKymaWait } from "../../kinds/index.ts";
import { observeStatus, statusPass } from "./index.ts";

const NOW = "2026-02-03T10:00:00Z";
/** The ending of a pass whose write is done, or failed. */
function endOf(outcome: ReturnType<typeof statusPass>, error?: EffectError) {
  if (outcome.conclude === undefined)
    return { ...outcome, record: undefined, wakeAt: undefined, retry: undefined };
  const failed = error === undefined ? [] : [{ effect: outcome.effects, error }];
  const all = { ok: failed.length === 0, failed };
  const end = outcome.conclude(
    Object.assign(() => ({ state: "not run" as const }), { ...all, within: () => all }),
  );
  return { record: undefined, wakeAt: undefined, retry: undefined, ...end };
}
const condition = (type: string) => ({ type, status: "True", reason: "Good", message: "" });
const self = (conditions: readonly object[] | undefined) =>
  parseObject(Kyma, {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "Kyma",
    metadata: { name: "rt-1", namespace: "kcp-system", uid: "u", resourceVersion: "1" },
    spec: { channel: "regular" },
    ...(conditions && { status: { state: "Ready", conditions } }),
  });
const copy = (metadata = {}) =>
  parseObject(
    RuntimeKyma,
    {
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "Kyma",
      metadata: { name: "default", namespace: "kyma-system", uid: "v", resourceVersion: "7", ...metadata },
      spec: { channel: "fast" },
    },
    "rt-1",
  );
const stateOf = (state: "reachable" | "no secret"): ClusterState => ({
  state,
  cluster: "rt-1",
  reason: "",
  wait: {
    for: `the cluster, ${state}`,
    object: { apiVersion: "reveille.dev/v1", kind: "Connection", name: "runtime:rt-1" },
  },
});
const there = stateOf("reachable");
const away = stateOf("no secret");
const COPIED = [condition("CRDsSync")];
const TOLD = [...COPIED, condition("Watch")];

for (const [title, conditions, target, state, kyma, expected] of [
  [
    "nothing where modules go into the control plane's cluster",
    COPIED,
    "local",
    there,
    copy(),
    { step: "none" },
  ],
  ["nothing before the Kyma there has its definition", [], "secret", there, copy(), { step: "none" }],
  ["nothing of a Kyma of which nothing was said yet", undefined, "secret", there, copy(), { step: "none" }],
  ["only that the cluster is away", COPIED, "secret", away, copy(), { step: "away", there: away }],
  ["the Kyma there", COPIED, "secret", there, copy(), { step: "there", there, kyma: copy() }],
  ["that it is gone", COPIED, "secret", there, undefined, { step: "there", there, kyma: undefined }],
  [
    "that its definition is gone",
    COPIED,
    "secret",
    there,
    new KubeError("kindMissing", "no such kind", { request: "GET" }),
    { step: "there", there, kyma: undefined },
  ],
] as const)
  test(`what the status in a runtime follows from: ${title}`, async () => {
    const world = await observeStatus(
      self(conditions),
      { target },
      {
        there: async () => state,
        kyma: async () => {
          if (kyma instanceof Error) throw kyma;
          return kyma;
        },
      },
    );
    assert.deepEqual(world, expected);
  });

test("any other failure to read it is one", async () => {
  const forbidden = new KubeError("forbidden", "not for you", { request: "GET" });
  const reads = { there: async () => there, kyma: () => Promise.reject(forbidden) };
  await assert.rejects(observeStatus(self(COPIED), { target: "secret" }, reads), forbidden);
});

for (const [title, conditions, kyma, written, awaited] of [
  ["is copied, and the Kyma followed while the runtime tells nothing", COPIED, copy(), true, 2],
  ["is copied, and the runtime tells of changes", TOLD, copy(), true, 1],
  ["waits for a Kyma that is made anew, whoever tells", TOLD, undefined, false, 2],
  [
    "leaves a Kyma alone that is being deleted",
    TOLD,
    copy({ deletionTimestamp: "2026-01-15T10:00:00Z" }),
    false,
    1,
  ],
  ["has nothing to copy before anything was said", undefined, copy(), false, 2],
] as const)
  test(`the status in a runtime ${title}`, () => {
    const outcome = statusPass(self(conditions), { step: "there", there, kyma }, NOW);
    assert.equal("conclude" in outcome && outcome.conclude !== undefined, written);
    assert.deepEqual(endOf(outcome).waitingFor, [there.wait, runtimeKymaWait("rt-1")].slice(0, awaited));
  });

test("the status in a runtime that refuses it is told, and tried again", () => {
  const outcome = statusPass(self(COPIED), { step: "there", there, kyma: copy() }, NOW);
  const error = { code: "KUBE_INVALID", status: 422, retryable: false, message: "a webhook says no" };
  const { record, wakeAt } = endOf(outcome, error);
  assert.deepEqual(wakeAt, { refused: "2026-02-03T10:05:00.000Z" });
  assert.match(JSON.stringify(record), /Warning.*StatusNotTold.*a webhook says no/);
  const late = endOf(outcome, { ...error, code: "KUBE_STALE", status: 409, retryable: true });
  assert.deepEqual([late.record, late.wakeAt, late.retry], [undefined, undefined, true]);
});

test("the status of a runtime that is away waits for it, and one of none for nothing", () => {
  assert.deepEqual(statusPass(self(COPIED), { step: "away", there: away }, NOW), { waitingFor: [away.wait] });
  assert.deepEqual(statusPass(self(COPIED), { step: "none" }, NOW), {});
});
