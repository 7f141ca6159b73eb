import type { ContainerState, PodStatus } from "../../shared/kube/schema/pod-status.ts";
import type { Behaviour } from "./behaviour.ts";
import { withCondition } from "./conditions.ts";
import { type Pod, timeOf, uidOf } from "./objects.ts";

/** The stage of a pod's life. */
export type Stage = "creating" | "running" | "unready" | "imagePull" | "crashing" | "succeeded" | "failed";

/**
 * The stage of a pod that was first seen at `firstSeen`, and the time at which it goes on by itself. `runsToEnd` is true for pods
 * of Jobs.
 */
export function stageOf(
  pod: Pod,
  { outcome, delayMilliseconds }: Behaviour,
  firstSeen: number,
  now: number,
  runsToEnd: boolean,
): { readonly stage: Stage; readonly due?: number } {
  const due = firstSeen + delayMilliseconds;
  const started = pod.status?.phase === "Running";
  if (pod.status?.phase === "Succeeded") return { stage: "succeeded" };
  if (pod.status?.phase === "Failed") return { stage: "failed" };
  if (!started && now < due) return { stage: "creating", due };
  switch (outcome) {
    case "hang":
      return { stage: started ? "unready" : "creating" };
    case "fail":
      if (runsToEnd) return { stage: "failed" };
      return { stage: started ? "crashing" : "imagePull" };
    case "crash":
      return { stage: runsToEnd && pod.spec.restartPolicy === "Never" ? "failed" : "crashing" };
    case "ready": {
      const end = due + delayMilliseconds;
      if (!runsToEnd) return { stage: "running" };
      return now < end ? { stage: "running", due: end } : { stage: "succeeded" };
    }
  }
}

const PHASES: Readonly<Record<Stage, "Pending" | "Running" | "Succeeded" | "Failed">> = {
  creating: "Pending",
  imagePull: "Pending",
  running: "Running",
  unready: "Running",
  crashing: "Running",
  succeeded: "Succeeded",
  failed: "Failed",
};

/** The status of a pod in a stage, as a kubelet would write it; times that are still true stay. */
export function podStatus(pod: Pod, stage: Stage, message: string | undefined, now: number): PodStatus {
  const live = pod.status ?? {};
  const time = timeOf(now);
  const containers = pod.spec.containers ?? [];
  const begun = stage !== "creating" && stage !== "imagePull";
  const names = containers.map(({ name }) => name).join(" ");
  let conditions = live.conditions ?? [];
  const set = (type: string, status: boolean, reason?: string, text?: string): void => {
    conditions = withCondition(
      conditions,
      {
        type,
        status: status ? "True" : "False",
        ...(reason === undefined ? {} : { reason }),
        ...(text === undefined ? {} : { message: text }),
      },
      now,
    );
  };
  const ready = stage === "running";
  const [reason, text] = ready
    ? []
    : stage === "succeeded"
      ? ["PodCompleted"]
      : stage === "failed"
        ? ["PodFailed"]
        : ["ContainersNotReady", message ?? `containers with unready status: [${names}]`];
  set("PodReadyToStartContainers", begun && stage !== "succeeded" && stage !== "failed");
  set("Initialized", true, stage === "succeeded" ? "PodCompleted" : undefined);
  set("Ready", ready, reason, text);
  set("ContainersReady", ready, reason, text);
  set("PodScheduled", true);
  const address = begun ? addressOf(uidOf(pod)) : undefined;
  return {
    ...live,
    phase: PHASES[stage],
    conditions,
    startTime: live.startTime ?? time,
    ...(address === undefined ? {} : { podIP: address, podIPs: [{ ip: address }] }),
    ...(stage === "failed" && message !== undefined ? { message } : {}),
    containerStatuses: containers.map(({ name, image = "" }) => {
      const before = live.containerStatuses?.find((status) => status.name === name);
      const startedAt = before?.state?.running?.startedAt ?? before?.state?.terminated?.startedAt ?? time;
      const finishedAt =
        before?.state?.terminated?.finishedAt ?? before?.lastState?.terminated?.finishedAt ?? time;
      return {
        name,
        image,
        imageID: begun ? `simulated://${image}` : "",
        ready,
        started: ready || stage === "unready",
        restartCount:
          stage === "crashing" ? Math.max(1, before?.restartCount ?? 0) : (before?.restartCount ?? 0),
        state: stateOf(stage, image, name, message, { startedAt, finishedAt }),
        lastState:
          stage === "crashing"
            ? {
                terminated: {
                  exitCode: 1,
                  reason: "Error",
                  startedAt: before?.lastState?.terminated?.startedAt ?? startedAt,
                  finishedAt,
                },
              }
            : (before?.lastState ?? {}),
      };
    }),
  };
}

function stateOf(
  stage: Stage,
  image: string,
  container: string,
  message: string | undefined,
  times: { startedAt: string; finishedAt: string },
): ContainerState {
  switch (stage) {
    case "creating":
      return { waiting: { reason: "ContainerCreating", ...(message === undefined ? {} : { message }) } };
    case "imagePull":
      return {
        waiting: { reason: "ImagePullBackOff", message: message ?? `Back-off pulling image "${image}"` },
      };
    case "crashing":
      return {
        waiting: {
          reason: "CrashLoopBackOff",
          message: message ?? `back-off 10s restarting failed container=${container}`,
        },
      };
    case "running":
    case "unready":
      return { running: { startedAt: times.startedAt } };
    case "succeeded":
      return { terminated: { exitCode: 0, reason: "Completed", ...times } };
    case "failed":
      return {
        terminated: { exitCode: 1, reason: "Error", ...(message === undefined ? {} : { message }), ...times },
      };
  }
}

/** An address that looks real and is the same at every look. */
function addressOf(uid: string): string {
  const number = Number.parseInt(uid.replaceAll("-", "").slice(0, 4), 16) || 1;
  return `10.244.${number >> 8}.${number & 0xff || 1}`;
}
