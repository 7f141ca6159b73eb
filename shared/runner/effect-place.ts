import type { FunctionDeclaration } from "../function/declaration.ts";
import type { EffectPlan } from "../function/effects.ts";
import { isSlot } from "../function/slots.ts";
import { DeclarationError } from "../function/system.ts";
import type { Kind, Slot } from "../kube/kind.ts";
import type { NamedKind, SlotKinds } from "./slot-kinds.ts";

/** The kinds behind the slots of whoever writes. */
export interface SlotsInEffects extends Pick<SlotKinds, "forget"> {
  kindFor(slot: Slot, what: NamedKind, cluster: string | undefined): Promise<Kind>;
}

/** Every effect but the call of a port. */
export type Write = Exclude<EffectPlan, { effect: "call" }>;

/** The cluster of what is written; undefined for the home. */
export function clusterOf(plan: Write, { name }: Pick<FunctionDeclaration, "name">): string | undefined {
  if (plan.effect === "emit") return undefined;
  const refuse = (what: string): never => {
    throw new DeclarationError(
      "DECLARATION_CLUSTERS",
      `${name} ${what}: owners, children and Events lie in one cluster, the home.`,
    );
  };
  if (plan.effect === "note")
    return plan.about.metadata.cluster === undefined
      ? undefined
      : refuse(`writes an Event about ${plan.about.kind} ${plan.about.metadata.name} of another cluster`);
  const { cluster } = "object" in plan ? plan.object.metadata : plan.body.metadata;
  const isElsewhere = plan.kind.clusters !== undefined;
  if (isElsewhere !== (cluster !== undefined))
    refuse(`writes ${plan.kind.id} ${isElsewhere ? "without its cluster" : `of the cluster ${cluster}`}`);
  const owner = "owner" in plan ? plan.owner : undefined;
  if (owner !== undefined && (isElsewhere || owner.metadata.cluster !== undefined))
    refuse(`gives ${plan.kind.id} an owner in another cluster`);
  return cluster;
}

/** The effect with the kind of what it writes: a slot's is the one that the object names. */
export async function ofKnownKind<Plan extends Write>(
  plan: Plan,
  cluster: string | undefined,
  slots: Pick<SlotsInEffects, "kindFor">,
): Promise<Plan> {
  if (!("kind" in plan) || !isSlot(plan.kind)) return plan;
  const named: unknown = "object" in plan ? plan.object : plan.body;
  return { ...plan, kind: await slots.kindFor(plan.kind, named as NamedKind, cluster) };
}
