import type { System } from "../../../shared/function/system.ts";
import { functionsOf, ownKindsOf } from "../../systems/declared.ts";
import type { StreamPosition, WatcherPosition } from "../../watcher/index.ts";

/**
 * The reasons why changes of some kinds, or of all, lead to nothing here. Empty where all are followed. Kinds that others install
 * and that are not there have no objects that anybody could miss: a function that follows them goes on without.
 */
export const unfollowed = (position: WatcherPosition, systems: readonly System[]): readonly string[] => [
  ...(position.leader || position.holder === undefined
    ? []
    : [
        `another Reveille watches this cluster (${position.holder}): this one stands by, and its functions sleep until that one ends`,
      ]),
  ...position.streams.filter((stream) => !isOptional(stream, systems)).flatMap(reasonOf),
];

const isOptional = ({ kind, group, state }: StreamPosition, systems: readonly System[]): boolean =>
  state.name === "absent" &&
  !ownKindsOf(functionsOf(systems)).some((own) => own.kind === kind && own.group === group);

function reasonOf({ kind, group, namespace, state }: StreamPosition): readonly string[] {
  const what = `${kind}${group === "" ? "" : `.${group}`}${namespace === undefined ? "" : ` in ${namespace}`}`;
  if (state.name === "absent") return [`${what} is not followed: the server does not know the kind`];
  if (state.name === "backingOff") return [`${what} is not followed: ${state.error}`];
  if (state.name !== "forbidden") return [];
  const { verb, resource } = state.missing;
  return [`${what} is not followed: the right to ${verb} ${resource} is missing`];
}
