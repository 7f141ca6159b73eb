import { createHash } from "node:crypto";
import { toWholeSeconds } from "../clock/time.ts";
import type { EffectPlan } from "../function/effects.ts";
import type { KubeError } from "../kube/errors.ts";
import type { KubeObject } from "../kube/object.ts";

/** The API's own limit on a note. */
const MAXIMUM_MESSAGE = 1024;

/** A core/v1 Event, named by its object and by what it says, so that the same one is made once. */
export function kubernetesEvent(
  plan: Extract<EffectPlan, { effect: "note" }>,
  namespace: string,
  component: string,
  now: string,
): KubeObject {
  const { about, type, reason, message } = plan;
  const { name, namespace: aboutNamespace, uid, resourceVersion } = about.metadata;
  const digest = createHash("sha256")
    .update([uid, type, reason, message, plan.of].join("\n"))
    .digest("hex")
    .slice(0, 16);
  const at = toWholeSeconds(now);
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name.slice(0, 200)}.${digest}`, namespace },
    involvedObject: {
      apiVersion: about.apiVersion,
      kind: about.kind,
      name,
      namespace: aboutNamespace,
      uid,
      resourceVersion,
    },
    type,
    reason,
    message: message.slice(0, MAXIMUM_MESSAGE),
    source: { component },
    reportingComponent: component,
    reportingInstance: component,
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  };
}

/** Refused for what it is or who asks, so that asking again soon would be in vain. */
export const isRefusal = ({ kind }: KubeError): boolean =>
  kind === "forbidden" || kind === "invalid" || kind === "kindMissing";
