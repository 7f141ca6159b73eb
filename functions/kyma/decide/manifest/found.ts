import type { SlotPlace } from "../../../../shared/function/index.ts";
import { whereAdmitted } from "../../../../shared/function/known.ts";
import type { SyncedObject } from "../../kinds/index.ts";
import { namedEntry } from "./named.ts";
import type { FoundObject, Live } from "./world.ts";

/** The reads of single objects in a runtime. */
export interface ObjectReads {
  object(at: SlotPlace): Promise<Live | undefined>;
}

/** An object as it stands; undefined too where its kind is not known yet, or may not be read. */
export async function liveAt(at: SlotPlace, reads: ObjectReads): Promise<Live | undefined> {
  const read = await whereAdmitted(() => reads.object(at));
  return "refused" in read ? undefined : read.value;
}

/** Looks for the objects of these entries. */
export const foundObjects = (
  entries: readonly SyncedObject[],
  reads: ObjectReads,
): Promise<readonly FoundObject[]> =>
  Promise.all(entries.map(async (entry) => ({ entry, live: await liveAt(namedEntry(entry), reads) })));
