import type { DependencyReady, Envelope, ResourceChanged, ResourceDeleted } from "../../events/index.ts";
import type { WaitedObject } from "./contract.ts";
import type { NewItem } from "./item.ts";

type AboutObject = ResourceChanged | ResourceDeleted | DependencyReady;

const types: ReadonlySet<string> = new Set([
  "resource.changed",
  "resource.deleted",
  "dependency.ready",
  "dependency.lost",
]);
/** The catalogue has checked the body, so its type says its form. */
const isAboutObject = (event: Envelope): event is AboutObject => types.has(event.type);

/** The object that an event is about, where keys may wait for it. */
export function waitedObjectOf(event: Envelope): WaitedObject | undefined {
  if (!isAboutObject(event)) return undefined;
  const { cluster, group, kind, namespace, name } = event.data.ref;
  return { cluster, group, kind, namespace, name };
}

/** The uid and version of a published event's object, as the history keeps them. */
export function versionOf(event: Envelope): { readonly uid?: string; readonly resourceVersion?: string } {
  if (!isAboutObject(event)) return {};
  return { uid: event.data.ref.uid, resourceVersion: event.data.resourceVersion };
}

/** The era that an event's version belongs to; undefined where it is about no object. */
export const eraOf = (event: Envelope): number | undefined =>
  isAboutObject(event) ? event.data.era : undefined;

/** The cause of a key that waits for the event's object. Noise in a status alone takes no key out of the dead letters. */
export function waitCause(event: Envelope): Pick<NewItem, "lane" | "cause"> {
  if (!isAboutObject(event)) throw new TypeError(`${event.type} is about no object`);
  const { data, id, type, subject, time, traceparent } = event;
  const differs = "differs" in data ? data.differs : undefined;
  return {
    lane: data.lane,
    cause: {
      sort: "wait",
      eventId: id,
      type,
      subject,
      uid: data.ref.uid,
      resourceVersion: data.resourceVersion,
      generation: "generation" in data ? data.generation : undefined,
      revives: differs === undefined || differs.some((part) => part !== "status"),
      at: time,
      traceparent,
    },
  };
}
