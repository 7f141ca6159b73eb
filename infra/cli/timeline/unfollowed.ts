import type { StreamPosition, WatcherPosition } from "../../watcher/index.ts";

/** Why changes of some kinds, or of all, lead to nothing here. Empty where all are followed. */
export const unfollowed = (position: WatcherPosition): readonly string[] => [
  ...(position.leader || position.holder === undefined
    ? []
    : [
        `another Reveille watches this cluster (${position.holder}): this one stands by, and its functions sleep until that one ends`,
      ]),
  ...position.streams.flatMap(reasonOf),
];

function reasonOf({ kind, group, namespace, state }: StreamPosition): readonly string[] {
  const what = `${kind}${group === "" ? "" : `.${group}`}${namespace === undefined ? "" : ` in ${namespace}`}`;
  if (state.name === "absent") return [`${what} is not followed: the server does not know the kind`];
  if (state.name === "backingOff") return [`${what} is not followed: ${state.error}`];
  if (state.name !== "forbidden") return [];
  const { verb, resource } = state.missing;
  return [`${what} is not followed: the right to ${verb} ${resource} is missing`];
}
