import { defineSystem, each, own, toWholeSeconds } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Widget } from "./widget.ts";

/** Doubles the value, and keeps the message in a ConfigMap that belongs to the Widget. */
export const widget = each(Widget).function({
  name: "widget",
  owns: [ConfigMap],
  reconcile: ({ self }, { now }) => {
    const { name, generation } = self.metadata;
    const before = self.status?.conditions?.find(({ type }) => type === "Ready");
    return {
      // Forced: where somebody changed the message, it comes back.
      effects: own(
        self,
        ConfigMap,
        {
          metadata: { name: `${name}-config`, labels: { "bench.example.org/widget": name } },
          data: { message: self.spec.message },
        },
        { force: true },
      ),
      status: {
        observedGeneration: generation,
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

export const widgets = defineSystem({ name: "widget", functions: [widget] });
