import type { SlotPlace } from "../../../../shared/function/index.ts";
import { whereAdmitted } from "../../../../shared/function/known.ts";
import { KubeError } from "../../../../shared/kube/errors.ts";
import { apiVersionOf, parseApiVersion } from "../../../../shared/kube/object.ts";
import type { SyncedObject } from "../../kinds/index.ts";
import { namedEntry } from "./named.ts";
import { isName } from "./object-name.ts";
import { DEFINITIONS, otherVersionOf, type ReadObjects } from "./users.ts";
import type { FoundObject, Live, Named } from "./world.ts";

/** The reads of single objects in a runtime. */
export interface ObjectReads {
  object(at: SlotPlace): Promise<Live | undefined>;
}
/** The reads that tell of a recorded object whether it is gone. */
export interface RecordReads extends ObjectReads {
  readonly objects: ReadObjects;
}

/** The versions to which kinds of the server itself are brought in the end. */
const LATER_VERSIONS = ["v1", "v2"];

/** An object as it stands; undefined too where its kind is not known yet, or may not be read. */
export async function liveAt(at: SlotPlace, reads: ObjectReads): Promise<Live | undefined> {
  const read = await whereAdmitted(() => reads.object(at));
  return "refused" in read ? undefined : read.value;
}

/**
 * Looks for the objects of these entries of a record. One that the server does not know in that version any more is looked for in another: what is
 * taken for gone is never taken away. Throws where nobody can tell.
 */
export async function foundObjects(
  entries: readonly SyncedObject[],
  reads: RecordReads,
): Promise<readonly FoundObject[]> {
  let definitions: Promise<readonly Live[]> | undefined;
  const live = async (at: Named): Promise<Live | undefined> => {
    // An older program recorded names that no server takes: nothing can bear one.
    if (!isName(at.name) || !isName(at.namespace ?? "default")) return undefined;
    return liveAt(at, { object: () => inAnyVersion(at) });
  };
  const inAnyVersion = async (at: Named): Promise<Live | undefined> => {
    try {
      return await reads.object(at);
    } catch (error) {
      if (!(error instanceof KubeError) || error.kind !== "kindMissing") throw error;
      definitions ??= reads.objects(DEFINITIONS);
      const apiVersion = await otherVersionOf(at, () => definitions ?? reads.objects(DEFINITIONS));
      if (apiVersion !== undefined) return liveAt({ ...at, apiVersion }, reads);
      // Kinds of the server itself have no definition: they are served in these versions, if they are.
      const { group } = parseApiVersion(at.apiVersion);
      const found = LATER_VERSIONS.map((version) =>
        liveAt({ ...at, apiVersion: apiVersionOf({ group, version }) }, reads),
      );
      return (await Promise.all(found)).find((one) => one !== undefined);
    }
  };
  return Promise.all(entries.map(async (entry) => ({ entry, live: await live(namedEntry(entry)) })));
}
