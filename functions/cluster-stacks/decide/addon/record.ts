import type { Time } from "../../../../shared/function/index.ts";
import { without } from "../../../../shared/manifests/inventory.ts";
import type { Resource, StageStatus } from "../../kinds/index.ts";
import type { Plan, PlannedStage } from "./plan.ts";

/** The record as a new target finds it: nothing in it is applied for that yet. */
export const unsynced = (stored: readonly Resource[]): Resource[] =>
  stored.map(({ error: _, stage: __, recreate: ___, ...resource }) => ({
    ...resource,
    status: "not-synced",
  }));

/** The stages of a target that has just begun. */
export const pendingStages = ({ stages }: Plan, now: Time): StageStatus[] =>
  stages.map(({ name, action }) => ({ name, action, phase: "Pending", startedAt: now }));

/**
 * The record with what a stage is going to apply. What the stage would have applied before its chart was rendered anew is left over.
 * Nothing new comes into it by a stage that deletes.
 */
export function recordOf(
  stored: readonly Resource[],
  wanted: readonly Resource[],
  { name, action }: Pick<PlannedStage, "name" | "action">,
): Resource[] {
  if (action === "delete") return [...stored];
  const others = without(stored, wanted).map(
    (resource): Resource => (resource.stage === name ? { ...resource, status: "not-synced" } : resource),
  );
  return [
    ...others,
    ...wanted.map((resource): Resource => ({ ...resource, stage: name, status: "not-synced" })),
  ];
}

/** The entries that no stage of the target has applied: once all stages are done they are what is left of earlier ones. */
export const leftIn = (stored: readonly Resource[]): readonly Resource[] =>
  stored.filter(({ status }) => status !== "synced");
