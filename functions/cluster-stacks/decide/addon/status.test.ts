import assert from "node:assert/strict";
import { test } from "vitest";
import type { AddonConditionType } from "../../kinds/index.ts";
import { good } from "../conditions/index.ts";
import { overcome } from "./status.ts";

const stored = (conditions: readonly (readonly [type: AddonConditionType, status: "True" | "False"])[]) => ({
  status: {
    ready: true,
    conditions: conditions.map(([type, status]) => ({
      ...{ type, status, lastTransitionTime: "2024-01-01T00:00:00Z" },
    })),
  },
});
const ready = good("ClusterReady" as const);

test("addons that stand say nothing any more of work that failed once, or never began", () => {
  for (const [conditions, verdicts, forget] of [
    [
      [
        ["HelmChartApplied", "True"],
        ["HelmChartTemplated", "True"],
      ],
      [],
      [],
    ],
    [
      [
        ["HookServerReady", "False"],
        ["HelmChartApplied", "True"],
      ],
      [],
      ["HookServerReady"],
    ],
    [[["HelmChartApplied", "False"]], [good("HelmChartApplied")], ["HelmChartApplied"]],
    [[["ClusterReady", "False"]], [], []],
  ] as const)
    assert.deepEqual(overcome(stored(conditions), [ready]), { verdicts: [ready, ...verdicts], forget });
  assert.deepEqual(overcome({}, [ready]), { verdicts: [ready], forget: [] });
});
