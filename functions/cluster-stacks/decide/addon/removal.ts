import {
  type Effect,
  type Effects,
  later,
  note,
  type Obj,
  type Results,
  remove,
  type Time,
  type Wait,
} from "../../../../shared/function/index.ts";
import { identityKey, isKeptForGood } from "../../../../shared/manifests/inventory.ts";
import {
  type AddonStatus,
  type ClusterAddon,
  type Resource,
  WorkloadObject,
  workloads,
} from "../../kinds/index.ts";
import { addonMark, inApplyOrder, isOf, refusedText } from "../apply/index.ts";
import { bad, good } from "../conditions/index.ts";
import { statusOf } from "./status.ts";
import type { FoundObject } from "./world.ts";

type Live = Obj<typeof WorkloadObject>;
type Found = FoundObject & { readonly live: Live };

/** The removal of objects from a workload cluster, as far as it goes in one pass. */
interface Removal {
  readonly effects: Effects<"workload/addon-object">;
  readonly removals: readonly Effect<"workload/addon-object">[];
  /** They are on their way out, and waited for. */
  readonly waits: readonly Wait[];
  /** The entries of what is gone, and of what stays although nobody names it. */
  readonly over: readonly Resource[];
}

/**
 * Takes objects away in the opposite order of their application, wave by wave. What others may keep data in, and what does not bear
 * our marks, stays; an Event says so.
 */
function removalOf(self: Obj<typeof ClusterAddon>, found: readonly FoundObject[]): Removal {
  const mark = addonMark(self);
  const there = found.filter((one): one is Found => one.live !== undefined);
  const mine = there.filter(({ live }) => isOf(live, mark) && !isKeptForGood(live));
  const [first = []] = inApplyOrder(mine.map((one) => ({ ...one.resource, one }))).toReversed();
  const going = first.map(({ one }) => one.live).toReversed();
  const removals = going
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map((live) => remove(WorkloadObject, live));
  const staying = there.filter((one) => !mine.includes(one));
  return {
    effects: [
      removals,
      staying.map(({ live }) => left(self, live)),
      found.flatMap(({ resource, refused }) =>
        refused === undefined ? [] : [note(self, "Warning", "ObjectLeft", refusedText(resource, refused))],
      ),
    ],
    removals,
    waits: going.map(goneWait),
    over: found
      .filter((one) => !mine.some((other) => other.resource === one.resource))
      .map(({ resource }) => resource),
  };
}

const left = (self: Obj<typeof ClusterAddon>, live: Live): Effect<never> =>
  note(
    self,
    "Warning",
    "ObjectLeft",
    isKeptForGood(live)
      ? `${live.kind} ${live.metadata.name} of the workload cluster stays: others may keep data in it`
      : `${live.kind} ${live.metadata.name} of the workload cluster stays: it does not bear the marks of these addons`,
  );

/** The wait for the end of an object in a workload cluster. */
export const goneWait = ({ apiVersion, kind, metadata: { name, namespace, cluster } }: Live): Wait => ({
  for: `${kind} ${name} to be gone`,
  object: { apiVersion, kind, name, namespace, cluster: workloads.named(cluster) },
});

/** The record without these entries. */
const recordWithout = (record: readonly Resource[], over: readonly Resource[]): Resource[] => {
  const keys = new Set(over.map(identityKey));
  return record.filter((resource) => !keys.has(identityKey(resource)));
};

const goingText = (open: number): string =>
  open === 1
    ? "1 object that no addon of this class brings is on its way out"
    : `${open} objects that no addon of this class brings are on their way out`;

/** The time after which an object that the API server did not let go is tried again. */
const RETRY = "20s";

/**
 * Takes objects away, and says how far that is.
 * @param fieldsOf the fields of the status that change besides, once they are all gone and before
 */
export function removing(
  self: Obj<typeof ClusterAddon>,
  found: readonly FoundObject[],
  now: Time,
  fieldsOf: (isOver: boolean) => Pick<AddonStatus, "stages">,
) {
  const removal = removalOf(self, found);
  const resources = recordWithout(self.status?.resources ?? [], removal.over);
  const open = found.length - removal.over.length;
  return {
    effects: removal.effects,
    conclude: (results: Results) => {
      const errors = removal.removals.flatMap((effect) => {
        const result = results(effect);
        return result.state === "failed" ? [result.error.message] : [];
      });
      const message = errors[0] ?? goingText(open);
      return {
        status: statusOf(
          self,
          {
            verdicts: [
              open === 0
                ? good("HelmChartDeleted")
                : bad("HelmChartDeleted", "Info", "FailedToDeleteObjects", message),
            ],
            fields: { resources, ...fieldsOf(open === 0) },
          },
          now,
        ),
        waitingFor: removal.waits,
        again: errors.length === 0,
        ...(errors.length > 0 && { wakeAt: { removal: later(now, RETRY) } }),
      };
    },
  };
}
