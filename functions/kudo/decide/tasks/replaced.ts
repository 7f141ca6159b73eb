import type { TaskStatus } from "../../kinds/index.ts";
import { type Note, versionReplaced } from "../status/index.ts";
import type { SeenTask } from "./look.ts";

/** The warnings about objects that are applied in another version than their template says: they are told as a task begins. */
export function replacedNotes(
  { prepared, objects }: SeenTask,
  known: TaskStatus | undefined,
  uid: string,
): readonly Note[] {
  const begins = known === undefined || known.status === "PENDING";
  if (prepared.do !== "apply" || !begins) return [];
  return objects.flatMap(({ object: { apiVersion: to, kind, metadata }, template, replaces: from }) =>
    from === undefined
      ? []
      : [versionReplaced(`${kind.toLowerCase()} ${metadata.name}`, template, { from, to }, uid)],
  );
}
