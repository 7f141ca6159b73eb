import type { WorkItem } from "../bus/item.ts";
import { connectionIn } from "../kube/cluster-names.ts";
import { subjectParts } from "../kube/subject.ts";
import type { Others } from "./clients.ts";

/** Tells the connections of this process of what woke the run: another process found one of them there, or away. */
export function hearOf({ causes }: Pick<WorkItem, "causes">, others: Others | undefined): void {
  if (others === undefined) return;
  for (const { subject, type, at } of causes) {
    const reference = subject === undefined ? undefined : connectionIn(subjectParts(subject));
    if (reference !== undefined) others.heard(reference, type === "dependency.ready", Date.parse(at));
  }
}
