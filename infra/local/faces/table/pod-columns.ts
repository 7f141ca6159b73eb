import type { KubeObject } from "../../../../shared/kube/object.ts";
import { isObject, type JsonObject } from "../../json.ts";
import { age, at, listOf, numberOf, orNone, textOf } from "./cells.ts";
import { column, type TableColumn } from "./columns.ts";
import { ageText } from "./duration.ts";

/** The summary of a pod in `kubectl get pods`. */
interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  readonly restartedAt: string;
}

const restartable = (container: JsonObject | undefined): boolean => container?.restartPolicy === "Always";

/** The reason that matters most: of init containers while they run, else of containers, else the phase. */
function summarise(pod: KubeObject): Summary {
  const containers = listOf(pod, "spec", "containers");
  const sidecars = listOf(pod, "spec", "initContainers").filter(restartable);
  let reason = textOf(pod, "status", "reason") || textOf(pod, "status", "phase");
  let ready = 0;
  let restarts = 0;
  let restartedAt = "";
  const count = (status: JsonObject): void => {
    restarts += numberOf(status, "restartCount");
    const finished = textOf(status, "lastState", "terminated", "finishedAt");
    if (finished > restartedAt) restartedAt = finished;
  };
  const initial = initReason(pod, count);
  if (initial !== undefined) reason = initial;
  else {
    [restarts, restartedAt] = [0, ""];
    let running = false;
    for (const status of listOf(pod, "status", "containerStatuses").toReversed()) {
      count(status);
      const waiting = textOf(status, "state", "waiting", "reason");
      const ended = at(status, "state", "terminated");
      if (waiting !== "") reason = waiting;
      else if (isObject(ended)) reason = textOf(ended, "reason") || endOf(ended);
      else if (status.ready === true && isObject(at(status, "state", "running"))) {
        running = true;
        ready++;
      }
    }
    if (reason === "Completed" && running) reason = isReady(pod) ? "Running" : "NotReady";
  }
  for (const status of listOf(pod, "status", "initContainerStatuses"))
    if (sidecars.some((one) => one.name === status.name) && status.ready === true) ready++;
  if (pod.metadata.deletionTimestamp !== undefined)
    reason =
      textOf(pod, "status", "reason") === "NodeLost"
        ? "Unknown"
        : ["Failed", "Succeeded"].includes(textOf(pod, "status", "phase"))
          ? reason
          : "Terminating";
  return { ready, total: containers.length + sidecars.length, reason, restarts, restartedAt };
}

const endOf = (ended: JsonObject): string =>
  numberOf(ended, "signal") !== 0
    ? `Signal:${numberOf(ended, "signal")}`
    : `ExitCode:${numberOf(ended, "exitCode")}`;

const isReady = (pod: KubeObject): boolean =>
  listOf(pod, "status", "conditions").some((one) => one.type === "Ready" && one.status === "True");

/** Undefined once all init containers have done their work. */
function initReason(pod: KubeObject, count: (status: JsonObject) => void): string | undefined {
  const declared = listOf(pod, "spec", "initContainers");
  for (const [index, status] of listOf(pod, "status", "initContainerStatuses").entries()) {
    count(status);
    const ended = at(status, "state", "terminated");
    const waiting = textOf(status, "state", "waiting", "reason");
    if (isObject(ended) && numberOf(ended, "exitCode") === 0) continue;
    if (restartable(declared.find((one) => one.name === status.name)) && status.started === true) continue;
    if (isObject(ended)) return `Init:${textOf(ended, "reason") || endOf(ended)}`;
    return waiting !== "" && waiting !== "PodInitializing"
      ? `Init:${waiting}`
      : `Init:${index}/${declared.length}`;
  }
  return undefined;
}

function gates(pod: KubeObject): string {
  const wanted = listOf(pod, "spec", "readinessGates");
  const met = wanted.filter((gate) =>
    listOf(pod, "status", "conditions").some(
      (one) => one.type === gate.conditionType && one.status === "True",
    ),
  );
  return wanted.length === 0 ? "<none>" : `${met.length}/${wanted.length}`;
}

export const podColumns: readonly TableColumn[] = [
  column("Ready", (pod) => {
    const { ready, total } = summarise(pod);
    return `${ready}/${total}`;
  }),
  column("Status", (pod) => summarise(pod).reason),
  column("Restarts", (pod, now) => {
    const { restarts, restartedAt } = summarise(pod);
    return restarts > 0 && restartedAt !== ""
      ? `${restarts} (${ageText(restartedAt, now)} ago)`
      : String(restarts);
  }),
  age,
  column("IP", (pod) => orNone(textOf(pod, "status", "podIP")), { wide: true }),
  column("Node", (pod) => orNone(textOf(pod, "spec", "nodeName")), { wide: true }),
  column("Nominated Node", (pod) => orNone(textOf(pod, "status", "nominatedNodeName")), { wide: true }),
  column("Readiness Gates", gates, { wide: true }),
];
