import { elsewhereOnBus } from "../kube/cluster-names.ts";
import { subjectIn } from "../kube/subject.ts";
import type { Finished, WaitedObject } from "./contract.ts";
import type { NewItem, WorkItem } from "./item.ts";
import { objectName } from "./key-name.ts";
import type { RecordedEvent } from "./run-record.ts";

/**
 * A wait counts from the end of the run that said it. Whoever publishes about the object while that run is on its way finds nobody
 * waiting, so each bus looks, once the wait is durable, at what was told meanwhile: register, then check.
 */

/** The waits that a run adds to those that its key has had all along: only for these something may have been missed. */
export function addedWaits({ waits }: Finished, before: readonly WaitedObject[]): readonly WaitedObject[] {
  if (waits.length === 0 || waits === before) return [];
  const known = new Set(before.map(objectName));
  return waits.filter((wait) => !known.has(objectName(wait)));
}

/** The object's name in events and in the history. */
export const subjectOfWait = ({ cluster, group, kind, namespace, name }: WaitedObject): string =>
  subjectIn(elsewhereOnBus(cluster), { group, kind }, { namespace, name });

/**
 * True where the event tells the run something that it neither read nor wrote itself. Both are of one kind, so versions compare.
 */
export function isNews(told: RecordedEvent, { run, echoes }: Finished): boolean {
  const { uid, resourceVersion, subject } = told;
  if (echoes.some((echo) => echo.uid === uid && echo.resourceVersion === resourceVersion)) return false;
  const read = run.reads.find((reference) => reference.subject === subject);
  if (read === undefined) return true;
  if (read.resourceVersion === undefined) return told.type !== "resource.deleted";
  return resourceVersion === undefined || isOlder(read.resourceVersion, resourceVersion);
}

/** The item that a key gets which waits for what an event told during its run. */
export function missedItem({ function: name, key }: WorkItem, told: RecordedEvent): NewItem {
  const { id, type, subject, uid, resourceVersion, time, traceparent } = told;
  return {
    function: name,
    key,
    lane: "urgent",
    cause: {
      sort: "wait",
      eventId: id,
      type,
      subject,
      uid,
      resourceVersion,
      revives: false,
      at: time,
      traceparent,
    },
  };
}

const NUMBER = /^\d+$/;

/** True where the first version comes before the second; versions that are no numbers are older where they differ. */
function isOlder(one: string, other: string): boolean {
  if (!NUMBER.test(one) || !NUMBER.test(other)) return one !== other;
  return BigInt(one) < BigInt(other);
}
