import { fieldOf, isRecord, listOf, textOf } from "../../json/fields.ts";
import {
  type Health,
  numberOf,
  type Readable,
  ready,
  type Statement,
  statementOf,
  unready,
} from "./health.ts";

/** Ready when it has succeeded as often as it is to; failed where it was given up. */
export function jobHealth(live: Readable): Health {
  const { spec, status } = live;
  const wanted = numberOf(spec, "completions") || 1;
  if (statementOf(live, "Complete")?.status === "True" || numberOf(status, "succeeded") >= wanted)
    return ready(live);
  const failed = statementOf(live, "Failed");
  if (failed?.status === "True") return unready(live, "failed", "Failed", failed);
  const suspended = statementOf(live, "Suspended");
  return suspended?.status === "True"
    ? unready(live, "progressing", "Suspended", suspended)
    : unready(live, "progressing", "Running");
}

/** Ready when it runs and takes requests, or has come to a good end. */
export function podHealth(live: Readable): Health {
  const { status } = live;
  const phase = fieldOf(status, "phase");
  if (phase === "Succeeded") return ready(live);
  if (phase === "Failed")
    return unready(live, "failed", "Failed", {
      status: phase,
      reason: textOf(fieldOf(status, "reason")),
      message: textOf(fieldOf(status, "message")),
    });
  const answers = statementOf(live, "Ready");
  if (phase === "Running" && answers?.status === "True") return ready(live);
  const waiting = [...waitingIn(status, "initContainerStatuses"), ...waitingIn(status, "containerStatuses")];
  return waiting.length > 0
    ? unready(live, "progressing", "ContainerWaiting", ...waiting)
    : unready(live, "progressing", phase === undefined ? "Unobserved" : "Running", answers);
}

/** Containers that cannot begin, and why: `CrashLoopBackOff`, `ImagePullBackOff`. On the way to its beginning a container waits too. */
const waitingIn = (status: unknown, field: string): readonly Statement[] =>
  listOf(fieldOf(status, field)).flatMap((container) => {
    const waiting = fieldOf(fieldOf(container, "state"), "waiting");
    if (!isRecord(waiting)) return [];
    const reason = textOf(waiting.reason);
    return ON_THE_WAY.has(reason)
      ? []
      : [{ status: textOf(fieldOf(container, "name")), reason, message: textOf(waiting.message) }];
  });
const ON_THE_WAY = new Set(["", "ContainerCreating", "PodInitializing"]);
