import type { Obj } from "../../../../shared/function/index.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import type { Manifest } from "../../kinds/index.ts";
import type { Provider } from "../dependencies/index.ts";
import { liveAt, type ObjectReads } from "./found.ts";
import { entryOf, keyOf } from "./inventory.ts";
import { bringerOf, markedFor } from "./marks.ts";
import { namedOf } from "./named.ts";

/** The reads by which it is known whose an object is. */
interface MarkReads extends ObjectReads {
  /** A Manifest beside this one. */
  sibling(name: string): Promise<Provider | undefined>;
}

/**
 * The objects of a module, of which a Namespace that another one brings too keeps the marks that it bears. With the marks of whoever looked last
 * each look of each of them would write, and most modules bring the Namespace that all of them share.
 */
export const withFirstMarks = (
  self: Obj<typeof Manifest>,
  objects: readonly ApplicableObject[],
  reads: MarkReads,
): Promise<readonly ApplicableObject[]> =>
  Promise.all(
    objects.map(async (object) => {
      if (object.kind !== "Namespace" || object.apiVersion !== "v1") return object;
      const live = await liveAt(namedOf(object), reads);
      const by = live && bringerOf(live);
      if (by === undefined || by === self.metadata.name) return object;
      const first = await reads.sibling(by);
      const key = keyOf(entryOf(object));
      const hasIt =
        first?.metadata.deletionTimestamp === undefined &&
        first?.status?.synced?.some((entry) => keyOf(entry) === key) === true;
      const { namespace } = self.metadata;
      return hasIt ? markedFor({ metadata: { namespace, name: by } }, object) : object;
    }),
  );
