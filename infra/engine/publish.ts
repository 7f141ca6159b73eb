import {
  type DependencyReady,
  type Envelope,
  ownerReference,
  type ResourceChanged,
  type ResourceDeleted,
} from "../../events/index.ts";
import type { Bus } from "../../shared/bus/contract.ts";
import type { MemoryLine } from "../../shared/bus/memory.ts";
import type { Log } from "../../shared/log/log.ts";

/**
 * Publishes a watcher's events to a bus, with the line of its ledger: resolves when all is durable. An event that the bus refuses is
 * published again as its reference alone, from which everything may follow; one that is refused even so is told in the log, and kept
 * by the bus.
 */
export const publishTo =
  (bus: Pick<Bus, "publish">, log: Log) =>
  async (events: readonly Envelope[], line?: MemoryLine): Promise<void> => {
    const { refused } = await bus.publish(events, line);
    if (refused.length === 0) return;
    const again: Envelope[] = [];
    for (const { index, id, issues } of refused) {
      const event = events[index];
      log.error({ id, subject: event?.subject, issues }, "an event of the watcher was refused");
      if (event !== undefined && isTold(event)) again.push(stripped(event));
    }
    if (again.length === 0 && line === undefined) return;
    const still = (await bus.publish(again, line)).refused;
    for (const { id, issues } of still)
      log.error({ id, issues }, "an event of the watcher was refused even as its reference alone");
    if (still.length > 0 && line !== undefined) await bus.publish([], line);
  };

type Told = ResourceChanged | ResourceDeleted | DependencyReady;

const isTold = ({ type }: Envelope): boolean =>
  type === "resource.changed" ||
  type === "resource.deleted" ||
  type === "dependency.ready" ||
  type === "dependency.lost";

/** The same change, told as an unknown one of the same object. */
function stripped(event: Envelope): Envelope {
  const { ref, era, resourceVersion, lane } = event.data as Told["data"];
  const told = { ref, era, resourceVersion, lane, seen: [], incomplete: true };
  const id = `${event.id}?`;
  switch (event.type) {
    case "resource.deleted":
      return { ...event, id, data: { ...told, was: {}, owners: ownersIn(event) } };
    case "resource.changed": {
      const { generation, deleting } = event.data as ResourceChanged["data"];
      const differs = ["unknown"];
      return {
        ...event,
        id,
        data: { ...told, generation, differs, facts: {}, owners: ownersIn(event), deleting },
      };
    }
    default:
      return { ...event, id, data: { ...told, facts: {} } };
  }
}

const ownersIn = ({ data }: Envelope): readonly unknown[] =>
  (data as ResourceDeleted["data"]).owners.filter((owner) => ownerReference.safeParse(owner).success);
