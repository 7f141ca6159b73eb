import { fieldOf, textOf } from "../../json/fields.ts";
import {
  type Health,
  isObserved,
  isOutdated,
  numberOf,
  type Readable,
  ready,
  unready,
  wantedOf,
} from "./health.ts";

/** Ready when all pods are, and as many as the partition asks for are of the present revision; with `OnDelete` people decide that. */
export function statefulSetHealth(live: Readable): Health {
  const { spec, status } = live;
  if (isOutdated(live)) return unready(live, "progressing", "Outdated");
  const wanted = wantedOf(spec, "replicas", 1);
  const strategy = fieldOf(spec, "updateStrategy");
  const partition = numberOf(fieldOf(strategy, "rollingUpdate"), "partition");
  const isUpdated =
    fieldOf(strategy, "type") === "OnDelete" ||
    (partition > 0
      ? numberOf(status, "updatedReplicas") >= wanted - partition
      : textOf(fieldOf(status, "currentRevision")) === textOf(fieldOf(status, "updateRevision")));
  return isObserved(live) && isUpdated && numberOf(status, "readyReplicas") >= wanted
    ? ready(live)
    : unready(live, "progressing", "RollingOut");
}

/** Ready when each node that it is meant for has an available pod of the present template. */
export function daemonSetHealth(live: Readable): Health {
  const { status } = live;
  if (isOutdated(live)) return unready(live, "progressing", "Outdated");
  const wanted = numberOf(status, "desiredNumberScheduled");
  return isObserved(live) &&
    numberOf(status, "updatedNumberScheduled") >= wanted &&
    numberOf(status, "numberAvailable") >= wanted
    ? ready(live)
    : unready(live, "progressing", "RollingOut");
}
