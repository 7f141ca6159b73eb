import type { Obj } from "../../../../shared/function/index.ts";
import { apiVersionOf } from "../../../../shared/kube/object.ts";
import type { Manifest, State } from "../../kinds/index.ts";
import { isDefinition } from "./objects.ts";

/** The state that a Manifest told. */
interface Told {
  readonly state?: State | undefined;
  readonly operation?: string | undefined;
}

/** The API groups of kinds that a Manifest told it lacks. */
const groupsLacked = ({ operation = "" }: Told): readonly string[] =>
  [...operation.matchAll(/\bthe kind \S+ of ([^\s/]+)\//g)].map(([, group = ""]) => group);

/** True where an installed module lost a kind that it needs (DEP8). */
export const hasLostKind = (now: Told, was: Told | undefined): boolean =>
  was?.state === "Ready" && now.state !== "Ready" && groupsLacked(now).length > 0;

/** True for a Manifest that brought definitions of the kinds that another one lost: in a runtime that tells nothing it hears of that in no other way. */
export function broughtLost({ status }: Pick<Obj<typeof Manifest>, "status">, now: Told): boolean {
  const groups = groupsLacked(now);
  return (status?.synced ?? []).some(
    ({ group, version, kind, name }) =>
      isDefinition({ apiVersion: apiVersionOf({ group, version }), kind }) &&
      groups.some((lost) => name.endsWith(`.${lost}`)),
  );
}
