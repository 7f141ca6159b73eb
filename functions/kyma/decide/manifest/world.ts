import type {
  ClusterState,
  Duration,
  Effects,
  Obj,
  Results,
  Time,
} from "../../../../shared/function/index.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import type { Kyma, RuntimeObject, SyncedObject } from "../../kinds/index.ts";
import type { Layer } from "../../ports/components/index.ts";
import type { Judged } from "./readiness.ts";

/** The kinds that decisions about Manifests write. */
export type Target = "Manifest" | "runtime/module-object";

/** An object of a runtime as it stands there. */
export type Live = Obj<typeof RuntimeObject>;

/** An entry of the record, and the object that stands in the runtime. */
export interface FoundObject {
  readonly entry: SyncedObject;
  readonly live: Live | undefined;
  /** The objects of its kind that others would lose with a definition that goes. */
  readonly users?: readonly Named[];
  /** Absent: it is nobody else's. */
  readonly claim?: Claim;
}

/** The claim of another Manifest on an object that is to be deleted. */
export interface Claim {
  /** The Manifest. */
  readonly by: string;
  /** True: it may let go of it as well, or says that it keeps it; until then the object is left alone. */
  readonly isPassing: boolean;
}

/** An object as far as it is named. */
export interface Named {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** The artifact of a Manifest. */
export type Artifact =
  /** It cannot be had. */
  | { readonly state: "out of reach"; readonly layer: Exclude<Layer, { readonly state: "read" }> }
  /** It cannot be installed as it is. */
  | { readonly state: "faulty"; readonly message: string }
  /** It is to be recorded that these handlers are asked, before they are. */
  | { readonly state: "to be handled"; readonly handlers: readonly string[] }
  | {
      readonly state: "known";
      /** The objects as they are applied. */
      readonly objects: readonly ApplicableObject[];
      /** Those whose kind the runtime does not know, and no object brings. */
      readonly unplaced: readonly KubeObject[];
    };

/** The default configuration object that is yet to be made. */
export type OwnResource =
  | { readonly state: "makeable"; readonly object: ApplicableObject }
  /** Nobody has brought its kind yet. */
  | { readonly state: "kind missing"; readonly of: Named };

/** The operator of a module, by whose health the module is judged. */
export interface Operator {
  readonly at: Named;
  readonly live: Live | undefined;
  /** The pods of a StatefulSet. */
  readonly pods: readonly Pick<Judged, "status">[];
}

/** The word of the trusted handler of a module that is to stand. */
export interface Handled {
  readonly handler: string;
  /** The thing that it waits for, in its words; undefined: all is done, or it said nothing. */
  readonly waitingFor: string | undefined;
  readonly askAgain: Time | undefined;
  /** The objects whose change gives it something to say. */
  readonly waits: readonly Waiting[];
}

/** The word of a trusted handler that was told of a module which is gone from its runtime. */
export type Farewell = { readonly handler: string; readonly isOver: true } | OpenFarewell;

/** The same where it is not done yet. */
export interface OpenFarewell {
  readonly handler: string;
  readonly isOver: false;
  readonly message: string;
  /** The time at which it wants to be asked again. Undefined: after `retry`. */
  readonly askAgain: Time | undefined;
  readonly retry: Duration;
}

/** All that a decision about an installation rests on. */
export interface InstallWorld {
  readonly artifact: Artifact;
  /** The definitions of the artifact that stand in the runtime, by name. */
  readonly definitions: ReadonlyMap<string, Live>;
  /** The Manifests that these bear the marks of, and that are no more. Absent: there are none. */
  readonly absentBringers?: ReadonlySet<string>;
  /** The recorded objects that the artifact no longer brings. */
  readonly surplus: readonly FoundObject[];
  /** True where the artifact brings less than before under the same digest. */
  readonly isTruncated: boolean;
  readonly operator: Operator | undefined;
  /** Undefined: there is none to make. */
  readonly resource: OwnResource | undefined;
  readonly needs: readonly Need[];
  /** The content that the control plane gives to Secrets of the artifact. Absent: it asks for none. */
  readonly injection?: {
    /** The reason why one may not be had, in words. */
    readonly refused: string | undefined;
    /** The Secrets that it comes from. */
    readonly needs: readonly Need[];
  };
  /** Absent: the module names no trusted handler. */
  readonly handled?: Handled;
  /** The words of the handlers of its former versions, once this one stands. */
  readonly formers?: readonly Farewell[];
  /** The time for which a module may wait for what it requires before that is a Warning. */
  readonly grace: Duration;
}

/** Something that a module requires, and whether it is there. */
export interface Need {
  /** The thing itself, and why it is missing, in words. */
  readonly what: string;
  readonly isMet: boolean;
  /** False: the module is installed without it. */
  readonly isHard: boolean;
  /** The objects whose change may bring or take it. */
  readonly waits: readonly Waiting[];
}

/** All that a decision about a Manifest rests on: no more than the step needs that it is at. */
export type ManifestWorld =
  /** It does not say which Kyma it is part of. */
  | { readonly step: "unlabelled" }
  /** Its label was changed by hand: lists go by that, so it is put back before anything else. */
  | { readonly step: "mislabelled"; readonly kyma: string }
  /** Its Kyma is not there. */
  | { readonly step: "orphan" }
  | {
      readonly step: "away";
      readonly there: ClusterState;
      /** The words of its handlers, where it is being deleted and its runtime is surely gone. */
      readonly farewells?: readonly Farewell[];
    }
  /** Its runtime bears nobody's mark: what it brings there might stand in another's way. */
  | { readonly step: "unmarked"; readonly there: ClusterState; readonly kyma: Obj<typeof Kyma> }
  | { readonly step: "hand over"; readonly there: ClusterState; readonly found: readonly FoundObject[] }
  | { readonly step: "install"; readonly there: ClusterState; readonly install: InstallWorld }
  /** It is being deleted, and users' objects, or its own, need its operator yet. */
  | {
      readonly step: "blocked";
      readonly there: ClusterState;
      readonly blockers: readonly Named[];
      readonly own: Live | undefined;
      /** Undefined: nothing was installed. */
      readonly install: InstallWorld | undefined;
    }
  | {
      readonly step: "removal";
      readonly there: ClusterState;
      readonly found: readonly FoundObject[];
      /** The words of its handlers, where nothing of it is left. */
      readonly farewells?: readonly Farewell[];
    };

/** The settings of all Manifests. */
export interface ManifestSettings {
  /** The Secret that pods pull their images with. */
  readonly imagePullSecret?: string | undefined;
  readonly dependencyGraceMinutes: number;
  /** The modules whose artifacts may have Secrets filled from the control plane. */
  readonly injectingModules?: readonly string[];
}

/** The result of a part of the work on a Manifest. */
export interface Report {
  readonly state: "Ready" | "Processing" | "Warning" | "Error";
  readonly message: string;
  readonly synced?: readonly SyncedObject[];
  readonly resources?: boolean;
  readonly installation?: boolean;
  readonly moduleCR?: true;
  readonly waits?: readonly Waiting[];
  readonly wakeAt?: Readonly<Record<string, Time>>;
  readonly again?: boolean;
}

/** Effects, and what follows from how they went. */
export interface Work {
  readonly effects: Effects<Target>;
  /** The definitions among what it applies, whatever stands there now: they say in which versions their kinds will be served. */
  readonly definitions: readonly ApplicableObject[];
  readonly report: (results: Results) => Report;
}

/** An object that is waited for. */
export interface Waiting {
  readonly for: string;
  readonly of: Named;
  /** True: it lies in the control plane, not in the runtime. */
  readonly isAtHome?: boolean;
}
