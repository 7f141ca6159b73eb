import {
  type Effects,
  note,
  type Obj,
  patch,
  remove,
  type Time,
  type Wait,
} from "../../../../shared/function/index.ts";
import { apiVersionOf } from "../../../../shared/kube/object.ts";
import { isKeptForGood } from "../../../../shared/manifests/inventory.ts";
import { ClassObject, ClusterAddon, type ClusterStackRelease } from "../../kinds/index.ts";
import { inApplyOrder, isOf, refusedText, releaseMark } from "../apply/index.ts";
import { type User, userText } from "../usage/index.ts";
import { goneWait } from "./gone.ts";
import { releasePass } from "./pass.ts";
import type { RecordedObject, ReleaseWorld } from "./world.ts";

type Release = Obj<typeof ClusterStackRelease>;
type Found = RecordedObject & { readonly live: NonNullable<RecordedObject["live"]> };

/**
 * Takes away what a release brought, by its record: the chart is not needed. Who uses it holds it back, and keeps its objects as they
 * are.
 */
export function releaseDeletion(self: Release, world: ReleaseWorld, now: Time) {
  const { users, recorded } = world;
  if (users.length > 0) return releasePass(self, world, now, usersWaits(users));
  const mark = releaseMark(self);
  const there = recorded.filter((one): one is Found => one.live !== undefined);
  const ours = there.filter(({ live }) => isOf(live, mark));
  const inherited = ours.filter(({ heir }) => heir !== undefined);
  if (inherited.length > 0) return { effects: inherited.map(handedOver), again: true };
  const mine = ours.filter(({ live }) => !isKeptForGood(live));
  const [first] = inApplyOrder(mine.map((found) => ({ ...found.resource, found }))).toReversed();
  if (first === undefined)
    return { effects: [leftovers(self, there, mine), unseen(self, recorded)], finalized: true };
  const going = first.map(({ found }) => found.live).toReversed();
  const effects: Effects<"class-object"> = going
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map((live) => remove(ClassObject, live));
  return { effects, waitingFor: going.map(goneWait), again: true };
}

/** An object that two releases bring is the other's from here on. */
function handedOver({ live, heir }: Found): Effects<"class-object"> {
  if (heir === undefined) return [];
  const { annotation, of } = releaseMark(heir);
  return patch(ClassObject, live, { annotations: { [annotation]: of } });
}

/** So many users are named: there may be thousands, and one that leaves has all others looked for. */
const MOST_NAMED = 10;

/** The waits for those who use a release to leave it. A Cluster that leaves wakes by itself; of ClusterAddons one is waited for, and then the next. */
export function usersWaits(users: readonly User[]): readonly Wait[] {
  const followed = users.find(({ kind }) => kind === "ClusterAddon");
  const named = users.filter((user) => user !== followed).slice(0, MOST_NAMED);
  const others = users.length - named.length - (followed === undefined ? 0 : 1);
  return [
    ...(followed === undefined ? [] : [{ ...leaveWait(followed), object: addonReference(followed) }]),
    ...named.map(leaveWait),
    ...(others === 0 ? [] : [{ for: `${others} others to leave their class` }]),
  ];
}
const leaveWait = (user: User): Wait => ({ for: `${userText(user)} to leave its class` });
const addonReference = ({ namespace, name }: User) => ({
  apiVersion: apiVersionOf(ClusterAddon),
  kind: ClusterAddon.kind,
  name,
  namespace,
});

/** Says which objects stay, and why. */
function leftovers(self: Release, there: readonly Found[], mine: readonly Found[]): Effects<never> {
  return there
    .filter((found) => !mine.includes(found) && found.heir === undefined)
    .map(({ live }) =>
      note(
        self,
        "Warning",
        "ObjectLeft",
        isKeptForGood(live)
          ? `${live.kind} ${live.metadata.name} stays: others may keep data in it`
          : `${live.kind} ${live.metadata.name} stays: it does not bear the marks of this release`,
      ),
    );
}

/** Says which objects nobody may look for any more. */
const unseen = (self: Release, recorded: readonly RecordedObject[]): Effects<never> =>
  recorded.flatMap(({ resource, refused, heir }) =>
    refused === undefined || heir !== undefined
      ? []
      : [note(self, "Warning", "ObjectLeft", refusedText(resource, refused))],
  );
