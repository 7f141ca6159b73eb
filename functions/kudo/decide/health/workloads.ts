import type { Obj, Reader } from "../../../../shared/function/index.ts";
import type { Instance } from "../../kinds/index.ts";
import {
  DaemonSet,
  Deployment,
  HERITAGE,
  HERITAGE_LABEL,
  INSTANCE_LABEL,
  Pod,
  ReplicaSet,
  StatefulSet,
} from "../../kinds/workloads.ts";

const RECORDED = { Deployment, StatefulSet, DaemonSet } as const;
const isRecorded = (kind: string): kind is keyof typeof RECORDED => Object.hasOwn(RECORDED, kind);
/** The most characters of a label's value: an Instance with a longer name has no object that bears it. */
const MOST_CHARACTERS = 63;

/**
 * The workloads that an Instance's readiness rests on: those that bear its labels, whoever made them (5.6), and of those that it applied
 * also the ones from which somebody took the labels.
 */
export async function workloadsOf(
  { metadata: { name, namespace }, status }: Obj<typeof Instance>,
  read: Reader<"Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet" | "Pod">,
) {
  const labels = { [HERITAGE_LABEL]: HERITAGE, [INSTANCE_LABEL]: name };
  const mine = { namespace, labels } as const;
  const labelled =
    name.length > MOST_CHARACTERS
      ? []
      : (
          await Promise.all([
            read.list(Deployment, mine),
            read.list(StatefulSet, mine),
            read.list(DaemonSet, mine),
            read.list(ReplicaSet, mine),
            read.list(Pod, mine),
          ])
        ).flat();
  const found = new Set(labelled.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  const others = await Promise.all(
    (status?.workloads ?? []).map(({ kind, name: of }) =>
      isRecorded(kind) && !found.has(`${kind}/${of}`)
        ? read.get(RECORDED[kind], { name: of, namespace })
        : undefined,
    ),
  );
  return [...labelled, ...others.filter((one) => one !== undefined)];
}
