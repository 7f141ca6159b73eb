import type { AnyObject, ClusterState, Obj, SlotPlace } from "../../../../shared/function/index.ts";
import type { Secret } from "../../../../shared/kube/kinds/index.ts";
import type { AddonConditionType, ClusterStackRelease, Resource, WorkloadObject } from "../../kinds/index.ts";
import type { Opening } from "../../ports/releases/index.ts";
import type { Recorded, RenderedObject } from "../apply/index.ts";
import type { AssetFault } from "../assets/index.ts";
import type { Verdict } from "../conditions/index.ts";
import type { SecretPlace } from "../source/index.ts";
import type { WaitVerdict } from "./cel.ts";
import type { NoPlan, Plan, PlannedStage } from "./plan.ts";
import type { Standing } from "./standing.ts";
import type { KeptPart } from "./store.ts";
import type { WantedClass } from "./target.ts";

/** The types of conditions that decisions about addons are made of. */
export type AddonVerdict = Verdict<Exclude<AddonConditionType, "Ready">>;

/** A Secret that keeps a rendering, as it stands. */
export type Kept = Obj<typeof Secret>;

/** An entry of the record, and the object that stands in the workload cluster. */
export interface FoundObject extends Recorded<Obj<typeof WorkloadObject>> {
  readonly resource: Resource;
}

/** The objects of a stage. */
export type StageObjects =
  /** They are kept as they were rendered. */
  | {
      readonly state: "kept";
      readonly objects: readonly RenderedObject[];
      /** The objects that go: those of a stage that deletes, and of one that applies those that are to be made anew. */
      readonly found: readonly FoundObject[];
    }
  /** They were rendered just now, and are to be kept. */
  | {
      readonly state: "made";
      readonly objects: readonly RenderedObject[];
      readonly rendered: string;
      readonly values: string;
      readonly parts: readonly KeptPart[];
      /** The Secrets of a larger rendering before. */
      readonly dropped: readonly Kept[];
    }
  /** The stage's condition is asked first, before they are rendered or after they were applied. */
  | {
      readonly state: "waiting";
      readonly place: "before" | "after";
      readonly verdict: WaitVerdict;
    }
  /** They cannot be rendered. */
  | { readonly state: "faulty"; readonly verdict: AddonVerdict }
  /** An object that the values are made of is not there. */
  | { readonly state: "missing"; readonly what: string };

/** The stage that a target is at. */
export interface StageWorld {
  /** Its number among the stages, from 0. */
  readonly index: number;
  readonly planned: PlannedStage;
  readonly objects: StageObjects;
  /** The objects at home that its values are made of. */
  readonly valuesOf: readonly SlotPlace[];
}

/** The surroundings of addons that work can be done on. */
export interface Known {
  readonly cluster: AnyObject;
  readonly wanted: WantedClass;
  readonly there: ClusterState;
  readonly release: Obj<typeof ClusterStackRelease> | undefined;
}

interface Begun {
  readonly plan: Plan;
  /** The renderings of stages that there are no more. */
  readonly dropped: readonly Kept[];
  /** The objects that another program installed and has no record of, where this is the first work after its. */
  readonly standing?: Exclude<Standing, { state: "later" }> | undefined;
}

/** All that a decision about the addons of a Cluster rests on: no more than the step needs that it is at. */
export type AddonWorld =
  | { readonly step: "no cluster" }
  /** The class of the Cluster is of no stack. */
  | { readonly step: "no stack" }
  /** The Cluster is paused, or on its way out. */
  | { readonly step: "left alone" }
  | ({ readonly step: "away" | "done" } & Known)
  | ({
      readonly step: "no assets";
      readonly opening: Opening;
      readonly faults: readonly AssetFault[];
      /** The Secret that the source was asked with. */
      readonly secret?: SecretPlace | undefined;
    } & Known)
  | ({
      readonly step: "no plan";
      readonly plan: NoPlan;
      /** The objects at home that say whether there is one. */
      readonly valuesOf: readonly SlotPlace[];
    } & Known)
  /** The objects that another program installed are to be found out first. */
  | ({ readonly step: "unrecorded"; readonly standing: Extract<Standing, { state: "later" }> } & Known)
  | ({ readonly step: "new target" } & Begun & Known)
  /** `isNew`: it is a target without stages, of which nothing is stored yet. */
  | ({ readonly step: "finished"; readonly isNew: boolean } & Begun & Known)
  | ({ readonly step: "stage"; readonly plan: Plan; readonly stage: StageWorld } & Known)
  /** All stages are done. What is left of earlier targets goes. */
  | ({ readonly step: "left over"; readonly plan: Plan; readonly found: readonly FoundObject[] } & Known);
