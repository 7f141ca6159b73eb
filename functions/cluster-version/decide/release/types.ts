/** A release as the status lists it. */
export interface Release {
  readonly version: string;
  readonly image: string;
  readonly url?: string | undefined;
  readonly channels?: readonly string[] | undefined;
  readonly architecture?: string | undefined;
}

/** The user's request: `spec.desiredUpdate`. */
export interface DesiredUpdate {
  readonly version?: string | undefined;
  readonly image?: string | undefined;
  readonly architecture?: string | undefined;
  readonly force?: boolean | undefined;
  readonly acceptRisks?: readonly { readonly name: string }[] | undefined;
}

/** One line of `spec.overrides`. */
export interface ComponentOverride {
  readonly kind: string;
  readonly group: string;
  readonly namespace: string;
  readonly name: string;
  readonly unmanaged: boolean;
}

/** `spec.capabilities`. */
export interface CapabilitiesSpec {
  readonly baselineCapabilitySet?: string | undefined;
  readonly additionalEnabledCapabilities?: readonly string[] | undefined;
}

export interface Spec {
  readonly clusterID: string;
  readonly desiredUpdate?: DesiredUpdate | undefined;
  readonly upstream?: string | undefined;
  readonly channel?: string | undefined;
  readonly capabilities?: CapabilitiesSpec | undefined;
  readonly overrides?: readonly ComponentOverride[] | undefined;
}

/** The part of a condition that is read, from any writer: any status but True and False is Unknown. */
export interface StoredCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
}

/** A condition to be stored, without the time, which is stamped when it is. */
export interface Verdict {
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

/** One entry of `status.history`, newest first. */
export interface HistoryEntry {
  readonly state: string;
  readonly version?: string | undefined;
  readonly image: string;
  readonly startedTime?: string | undefined;
  readonly completionTime?: string | null | undefined;
}

/** A rule by which a risk applies: `Always`, or a query. Other types are kept and never evaluable. */
export interface MatchingRule {
  readonly type: string;
  readonly promql?: { readonly promql: string } | undefined;
}
export interface Risk {
  readonly name: string;
  readonly url: string;
  readonly message: string;
  readonly matchingRules: readonly MatchingRule[];
}
export interface ConditionalUpdate {
  readonly release: Release;
  readonly risks: readonly Risk[];
  readonly conditions?: readonly StoredCondition[] | undefined;
}

export interface Status {
  readonly desired?: Release | undefined;
  readonly history?: readonly HistoryEntry[] | undefined;
  readonly availableUpdates?: readonly Release[] | null | undefined;
  readonly conditionalUpdates?: readonly ConditionalUpdate[] | undefined;
  readonly capabilities?:
    | {
        readonly enabledCapabilities?: readonly string[] | undefined;
        readonly knownCapabilities?: readonly string[] | undefined;
      }
    | undefined;
  readonly conditions?: readonly StoredCondition[] | undefined;
}

/** The part of a ClusterVersion that the choice of a target reads: any object of that shape will do. */
export interface ClusterVersionView {
  readonly spec: Spec;
  readonly status?: Status | undefined;
}

/** The part of a payload's manifest that is read. */
export interface ManifestView {
  /** Without the version: `apps`, and empty for the core. */
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  /** Empty for objects of the whole cluster. */
  readonly namespace: string;
  readonly object: {
    readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> | undefined } | undefined;
  };
}
