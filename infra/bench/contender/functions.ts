import { widgets } from "../../../examples/widget/index.ts";
import { Widget } from "../../../examples/widget/widget.ts";
import { defineSystem, each, type System, toWholeSeconds } from "../../../shared/function/index.ts";

/** Doubles the value, and owns nothing: so no ConfigMap is watched either. */
const alone = each(Widget).function({
  name: "widget",
  reconcile: ({ self }, { now }) => {
    const before = self.status?.conditions?.find(({ type }) => type === "Ready");
    return {
      status: {
        observedGeneration: self.metadata.generation,
        doubled: self.spec.value * 2,
        conditions: [
          {
            type: "Ready",
            status: "True",
            reason: "Doubled",
            lastTransitionTime: before?.status === "True" ? before.lastTransitionTime : toWholeSeconds(now),
          },
        ],
      },
    };
  },
});

/** The race's job: with the child it is the example as it stands. */
export const contending = (child: boolean): System =>
  child ? widgets : defineSystem({ name: "widget", functions: [alone] });
