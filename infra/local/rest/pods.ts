import { isObject } from "../json.ts";
import type { Strategy } from "../resource-type.ts";

/** A pod that a node runs is given time to end; whoever plays the kubelet then deletes it with a grace of 0. */
export const podStrategy: Strategy = {
  graceSeconds({ spec, status }, requested) {
    if (!isObject(spec) || !spec.nodeName) return 0;
    if (isObject(status) && (status.phase === "Succeeded" || status.phase === "Failed")) return 0;
    if (requested !== undefined) return Math.max(0, requested);
    return typeof spec.terminationGracePeriodSeconds === "number" ? spec.terminationGracePeriodSeconds : 30;
  },
};
