import {
  later,
  type Obj,
  patch,
  type Results,
  remove,
  type Time,
} from "../../../../shared/function/index.ts";
import { ANNOTATIONS, Manifest, RuntimeObject } from "../../kinds/index.ts";
import { endingOf } from "./ending.ts";
import { bringerOf, isMarked, UNMARKED } from "./marks.ts";
import { RETRY } from "./refusal.ts";
import type { ManifestWorld } from "./world.ts";

type Self = Obj<typeof Manifest>;
type Handed = Extract<ManifestWorld, { readonly step: "hand over" }>;

/** True where the objects of a Manifest are handed over to the user: once it is being deleted, there is no way back. */
export const isHandedOver = ({ metadata, status }: Self): boolean =>
  metadata.annotations[ANNOTATIONS.isUnmanaged] === "true" ||
  (metadata.deletionTimestamp !== undefined && status?.state === "Unmanaged");

/** Takes our marks off what was installed: one that the user deleted needs none taken off. Then the Manifest itself goes. */
export function handingOver(self: Self, world: Handed, now: Time) {
  if (marksOf(self, world).length > 0) return unmarking(self, world, now);
  if (self.status?.state !== "Unmanaged")
    return endingOf(
      self,
      world.there,
      { state: "Unmanaged", message: "its objects were handed over", again: true },
      now,
    );
  return { effects: remove(Manifest, self, { unchanged: true }) };
}

/** The same for a Manifest that is being deleted: nothing is taken from the runtime. */
export const handedOver = (self: Self, world: Handed, now: Time) =>
  marksOf(self, world).length > 0 ? unmarking(self, world, now) : { finalized: true };

const marksOf = (self: Self, { found }: Handed) =>
  found.flatMap(({ live }) =>
    live !== undefined && isMarked(live) && (bringerOf(live) ?? self.metadata.name) === self.metadata.name
      ? [live]
      : [],
  );

function unmarking(self: Self, world: Handed, now: Time) {
  const marked = marksOf(self, world);
  return {
    effects: marked.map((live) => patch(RuntimeObject, live, UNMARKED)),
    conclude: (results: Results) => {
      const refused = results.failed[0]?.error.message;
      return endingOf(
        self,
        world.there,
        {
          state: self.metadata.deletionTimestamp === undefined ? "Processing" : "Unmanaged",
          message: refused ?? `${marked.length} objects are handed over`,
          again: refused === undefined,
          ...(refused !== undefined && { wakeAt: { handOver: later(now, RETRY) } }),
        },
        now,
      );
    },
  };
}
