import type { WorkItem } from "../bus/item.ts";
import { connectionIn, connectionWord } from "../kube/cluster-names.ts";
import { subjectParts } from "../kube/subject.ts";
import type { Others } from "./clients.ts";

/** Tells the connections of this process of what woke the run: another process found one of them there, or away. */
export function hearOf({ causes }: Pick<WorkItem, "causes">, others: Others | undefined): void {
  if (others === undefined) return;
  for (const { subject, type, at } of causes) {
    if (subject === undefined) continue;
    const object = subjectParts(subject);
    const reference = connectionIn(object);
    if (reference !== undefined) others.heard(reference, connectionWord(object, type), Date.parse(at));
  }
}
