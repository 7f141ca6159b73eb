import type { SlotPlace } from "../../../../shared/function/index.ts";
import { whereAdmitted } from "../../../../shared/function/known.ts";
import type { StageCondition } from "../assets/index.ts";
import type { ConditionObject } from "./cel.ts";

/** The reads of objects in the workload cluster that a condition needs. */
export interface ConditionReads {
  object(at: SlotPlace): Promise<object | undefined>;
  knows(
    what: Pick<SlotPlace, "apiVersion" | "kind">,
  ): Promise<{ readonly scope: "Namespaced" | "Cluster" } | undefined>;
}

type Named = StageCondition["objects"][number];
/** The namespace of those that name none: addons are installed there. */
const BY_DEFAULT = "kube-system";

/** Reads the objects of a condition, by their keys. */
export async function conditionObjects(
  { objects }: StageCondition,
  reads: ConditionReads,
): Promise<ReadonlyMap<string, ConditionObject>> {
  const found = objects.map(async (one) => [one.key, await conditionObject(one, reads)] as const);
  return new Map(await Promise.all(found));
}

async function conditionObject(one: Named, reads: ConditionReads): Promise<ConditionObject> {
  const { apiVersion, kind, name } = one;
  const known = await whereAdmitted(() => reads.knows({ apiVersion, kind }));
  if ("refused" in known) return { state: "refused", message: known.refused };
  if (known.value === undefined) return { state: "kind missing" };
  const namespace = known.value.scope === "Cluster" ? undefined : namespaceOfNamed(one);
  const read = await whereAdmitted(() => reads.object({ apiVersion, kind, name, namespace }));
  if ("refused" in read) return { state: "refused", message: read.refused, namespace };
  return read.value === undefined
    ? { state: "missing", namespace }
    : { state: "found", object: { ...read.value } };
}

/** The namespace in which an object is looked for, if its kind has any. */
export const namespaceOfNamed = ({ namespace }: Pick<Named, "namespace">): string => namespace || BY_DEFAULT;
