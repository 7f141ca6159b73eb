import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Mode } from "../graph/index.ts";
import { type GateOperator, gate } from "./gate.ts";

const MODES: readonly Mode[] = ["Initializing", "Updating", "Reconciling"];
const expected = [{ name: "operator", version: "5.2.0" }];

interface Board {
  readonly available?: string;
  readonly degraded?: string;
  readonly progressing?: string;
  readonly versions?: readonly { readonly name: string; readonly version: string }[];
}
const operator = ({ available, degraded, progressing, versions = expected }: Board): GateOperator => ({
  status: {
    versions,
    conditions: Object.entries({
      Available: available,
      Degraded: degraded,
      Progressing: progressing,
    }).flatMap(([type, status]) => (status === undefined ? [] : [{ type, status }])),
  },
});
const look = (
  live: GateOperator,
  mode: Mode = "Updating",
  options: { readonly blockOnDegraded?: boolean; readonly versions?: typeof expected } = {},
) => {
  const { blockOnDegraded = true, versions = expected } = options;
  const { passes, error } = gate({ name: "dns", versions }, live, { mode, blockOnDegraded });
  return { passes, ...(error !== undefined && { reason: error.reason, effect: error.effect }) };
};
const OLD = [{ name: "operator", version: "5.1.9" }];

describe("the gate on a ClusterOperator", () => {
  for (const mode of MODES) {
    test(`blocks where the manifest lists no versions (${mode})`, () => {
      assert.deepEqual(look(operator({ available: "True", degraded: "False" }), mode, { versions: [] }), {
        passes: false,
        reason: "ClusterOperatorNoVersions",
        effect: "Fail",
      });
    });
    for (const available of [undefined, "False", "Unknown", "true"])
      test(`scenario 5: blocks where Available is ${available} (${mode})`, () => {
        assert.deepEqual(look(operator({ ...(available && { available }), degraded: "False" }), mode), {
          passes: false,
          reason: "ClusterOperatorNotAvailable",
          effect: "Fail",
        });
      });
    test(`scenario 17: does not ask for Progressing (${mode})`, () => {
      const live = operator({ available: "True", degraded: "False", progressing: "True" });
      assert.deepEqual(look(live, mode), { passes: true });
    });
  }

  for (const degraded of [undefined, "True", "Unknown"])
    test(`takes Degraded ${degraded} for degraded`, () => {
      const live = operator({ available: "True", ...(degraded && { degraded }), versions: OLD });
      const blocked = { passes: false, reason: "ClusterOperatorDegraded", effect: "FailAfterInterval" };
      assert.deepEqual(look(live), blocked, "also at an old version");
      assert.deepEqual(look(live, "Reconciling"), blocked);
      assert.deepEqual(look(live, "Initializing"), {
        passes: true,
        reason: "ClusterOperatorDegraded",
        effect: "Report",
      });
    });

  test("scenario 14: with the policy off a degraded operator at its version passes at once, one that is behind fails", () => {
    const off = { blockOnDegraded: false };
    const reported = { passes: true, reason: "ClusterOperatorDegraded", effect: "Report" };
    assert.deepEqual(look(operator({ available: "True", degraded: "True" }), "Updating", off), reported);
    assert.deepEqual(
      look(operator({ available: "True", degraded: "True", versions: OLD }), "Updating", off),
      {
        passes: false,
        reason: "ClusterOperatorDegraded",
        effect: "Fail",
      },
    );
  });

  test("scenario 15: an installation does not look at versions", () => {
    const live = operator({ available: "True", degraded: "False", versions: OLD });
    assert.deepEqual(look(live, "Initializing"), { passes: true });
    assert.deepEqual(look(live), { passes: false, reason: "ClusterOperatorUpdating", effect: "None" });
  });

  test("scenario 18: every version that the manifest names counts, and no other", () => {
    const versions = [...expected, { name: "operand-1", version: "1.2" }];
    const board = { available: "True", degraded: "False" };
    const mixed = operator({ ...board, versions: [...expected, { name: "operand-1", version: "1.1" }] });
    assert.deepEqual(look(mixed, "Updating", { versions }), {
      passes: false,
      reason: "ClusterOperatorUpdating",
      effect: "None",
    });
    const more = operator({ ...board, versions: [...versions, { name: "operand-2", version: "0.1" }] });
    assert.deepEqual(look(more, "Updating", { versions }), { passes: true });
  });
});
