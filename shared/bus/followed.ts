import { connectionIn } from "../kube/cluster-names.ts";
import type { WaitedObject } from "./contract.ts";
import { objectName } from "./key-name.ts";

/** True for an object that no watch list covers, so that it has to be followed while somebody waits for it. */
export const isFollowed = ({ version }: WaitedObject): boolean => version !== undefined;

/** One text for an object as it is followed: a connection that was found there is another one than one that was found away. */
const followedName = (object: WaitedObject): string =>
  `${objectName(object)}\n${connectionIn(object) === undefined ? "" : object.version}`;

/** The followed objects that a key waits for now and did not before. */
export function newlyFollowed(
  now: readonly WaitedObject[],
  before: readonly WaitedObject[],
): readonly WaitedObject[] {
  const known = new Set(before.filter(isFollowed).map(followedName));
  return now.filter((object) => isFollowed(object) && !known.has(followedName(object)));
}

/** The followed objects among these, each once. */
export const followedIn = (objects: Iterable<WaitedObject>): readonly WaitedObject[] => [
  ...new Map([...objects].filter(isFollowed).map((object) => [followedName(object), object])).values(),
];
