import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { apply, type Effect, type EffectError, type Results } from "../../../../shared/function/index.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import { RuntimeObject } from "../../kinds/index.ts";
import { type Applied, isRefused, refusalOf } from "./refusal.ts";

const NOW = "2026-03-01T12:00:00Z";
const object = (name: string, namespace?: string): ApplicableObject => ({
  apiVersion: "example.org/v1",
  kind: "Thing",
  metadata: { name, labels: {}, annotations: {}, ...(namespace !== undefined && { namespace }) },
});
const applied = (one: ApplicableObject): Applied => ({
  object: one,
  effect: apply(RuntimeObject, { ...one, metadata: { ...one.metadata, cluster: "rt-1" } }),
});
const error = (code: string, retryable = false): EffectError => ({ code, message: `${code}.`, retryable });

/** The results of effects of which these failed. */
function resultsOf(failures: ReadonlyMap<Effect, EffectError>): Results {
  const failed = [...failures].map(([effect, one]) => ({ effect, error: one }));
  const outcome = { ok: failed.length === 0, failed };
  return Object.assign(
    (effect: Effect) => {
      const found = failures.get(effect);
      return found === undefined ? { state: "not run" as const } : { state: "failed" as const, error: found };
    },
    { ...outcome, within: () => outcome },
  );
}
const refusal = (...failures: readonly (readonly [ApplicableObject, EffectError | undefined])[]) => {
  const all = failures.map(([one, failure]) => ({ one: applied(one), failure }));
  const map = new Map(all.flatMap(({ one, failure }) => (failure ? [[one.effect, failure] as const] : [])));
  return refusalOf(
    all.map(({ one }) => one),
    resultsOf(map),
    NOW,
  );
};

describe("what a server refused of a module", () => {
  it("is nothing where all went well", () =>
    assert.equal(refusal([object("a"), undefined], [object("b"), undefined]), undefined));

  it("is waited for where it only lacks its kind or namespace", () => {
    const said = refusal(
      [object("a"), error("KUBE_KIND_MISSING")],
      [object("b", "later"), error("KUBE_MISSING")],
    );
    assert.equal(said?.state, "Processing");
    assert.equal(said?.message, "waits for the kind Thing of example.org/v1");
    assert.deepEqual(
      said?.waits?.map(({ of: { kind, name } }) => [kind, name]),
      [
        ["Thing", "a"],
        ["Namespace", "later"],
      ],
    );
  });

  it("is waited for where its namespace is on its way out", () => {
    const said = refusal([object("a", "leaving"), error("KUBE_TERMINATING", true)]);
    assert.equal(said?.state, "Processing");
    assert.deepEqual(
      said?.waits?.map((wait) => [wait.for, wait.of.kind, wait.of.name]),
      [["Namespace leaving to be gone", "Namespace", "leaving"]],
    );
  });

  it("is an error where it will not pass by itself, beside which waits still count", () => {
    const said = refusal([object("b", "later"), error("KUBE_MISSING")], [object("c"), error("KUBE_INVALID")]);
    assert.equal(said?.state, "Error");
    assert.match(said?.message ?? "", /^Thing .*c.*: KUBE_INVALID\.$/);
    assert.deepEqual(said?.wakeAt, { apply: "2026-03-01T12:05:00.000Z" });
    assert.equal(said?.waits?.length, 1);
  });

  it("is tried again soon where it may pass", () => {
    const said = refusal([object("c"), error("KUBE_UNAVAILABLE", true)]);
    assert.deepEqual(said?.wakeAt, { apply: "2026-03-01T12:00:30.000Z" });
  });

  it("is nothing that the module did where its runtime went away meanwhile, unless something else was refused", () => {
    const lost = [object("b"), error("CLUSTER_AWAY", true)] as const;
    const said = refusal([object("a", "later"), error("KUBE_MISSING")], lost);
    assert.deepEqual([said?.state, said?.message], ["Processing", "CLUSTER_AWAY."]);
    assert.deepEqual(said?.wakeAt, { apply: "2026-03-01T12:00:30.000Z" });
    assert.equal(refusal(lost, [object("c"), error("KUBE_INVALID")])?.state, "Error");
  });

  it("is an error where what is missing is no namespace", () =>
    assert.equal(refusal([object("cluster-wide"), error("KUBE_MISSING")])?.state, "Error"));

  it("is told of other effects too", () => {
    const said = refusalOf(
      [],
      resultsOf(new Map([[applied(object("other")).effect, error("KUBE_CONFLICT")]])),
      NOW,
    );
    assert.deepEqual(said, {
      state: "Processing",
      message: "KUBE_CONFLICT.",
      wakeAt: { apply: "2026-03-01T12:00:30.000Z" },
    });
  });
});

describe("what waits for half a minute or longer, and is told", () => {
  it.each([
    ["a fault of the object", "KUBE_INVALID", 422, false, true],
    ["a right that is missing", "KUBE_FORBIDDEN", 403, true, true],
    ["a webhook that does not answer", "KUBE_UNAVAILABLE", 500, true, true],
    ["a server that is busy", "KUBE_UNAVAILABLE", 503, true, false],
    ["a server that says wait", "KUBE_THROTTLED", 429, true, false],
    ["a read of before", "KUBE_STALE", 409, true, false],
    ["a runtime that went away", "CLUSTER_AWAY", undefined, true, false],
  ] as const)("%s", (_, code, status, retryable, expected) =>
    assert.equal(isRefused({ ...error(code, retryable), ...(status !== undefined && { status }) }), expected),
  );
});
