import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import type { RunRecord } from "../../../shared/bus/run-record.ts";
import type { Stage } from "./stage.ts";

/** Looks at a runtime that says nothing are what this one is about. */
const OF_POLLS = 34;

const isPoll = ({ causes }: RunRecord): boolean =>
  causes.some(({ sort, timer }) => sort === "deadline" && timer === "poll");

/** The same scenarios, each of which must come to its end without a look at a runtime that says nothing: that look is a net. */
export const unpolled = (scenarios: readonly Scenario<Stage>[]): readonly Scenario<Stage>[] =>
  scenarios.map((scenario) =>
    scenario.number === OF_POLLS
      ? scenario
      : {
          ...scenario,
          run: async (s) => {
            const before = s.stack.runs().length;
            await scenario.run(s);
            const polls = s.stack.runs().slice(before).filter(isPoll);
            assert.deepEqual(
              polls.map(({ key }) => key),
              [],
              "no look at a runtime that says nothing has helped",
            );
          },
        },
  );
