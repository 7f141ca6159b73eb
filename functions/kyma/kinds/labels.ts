const PREFIX = "operator.kyma-project.io";
const VENDOR = "kyma-project.io";

/** The API group of all kinds but KymaPolicy. */
export const GROUP = PREFIX;

/** The labels that decide something, as upstream names them. */
export const LABELS = {
  /** On a Secret: the Kyma whose kubeconfig it holds. On a Manifest: the Kyma that it is part of. */
  kymaName: `${PREFIX}/kyma-name`,
  moduleName: `${PREFIX}/module-name`,
  channel: `${PREFIX}/channel`,
  mandatoryModule: `${PREFIX}/mandatory-module`,
  /** On whatever the engine places: who looks after it. */
  managedBy: `${PREFIX}/managed-by`,
  /** On an object of a runtime: its changes are told to the control plane. */
  watchedBy: `${PREFIX}/watched-by`,
  /** "true": left alone, deletion apart. */
  skipReconciliation: `${PREFIX}/skip-reconciliation`,
  /** On a Kyma "true": it may see such modules. On a ModuleTemplate "true": only such a Kyma may. */
  beta: `${PREFIX}/beta`,
  internal: `${PREFIX}/internal`,
  /** The identity of a runtime. */
  runtimeId: `${VENDOR}/runtime-id`,
  globalAccountId: `${VENDOR}/global-account-id`,
  region: `${VENDOR}/region`,
  platformRegion: `${VENDOR}/platform-region`,
  plan: `${VENDOR}/broker-plan-name`,
} as const;

/** The annotations that decide something, as upstream names them. */
export const ANNOTATIONS = {
  /** On a Manifest: its objects are handed over to the user, and stay. */
  isUnmanaged: `${PREFIX}/is-unmanaged`,
  /** On an object of a runtime: the Manifest, as namespace/name, or the Kyma that it belongs to. */
  ownedBy: `deprecated-${PREFIX}/owned-by`,
  disclaimer: `${PREFIX}/managed-by-reconciler-disclaimer`,
  /** On a Manifest: the digest of the artifact that was last applied whole. */
  syncedArtifact: "sync-oci-ref",
} as const;

/** True for a label that says yes, in whatever case. */
export const isSet = (labels: Readonly<Record<string, string>>, label: string): boolean =>
  labels[label]?.toLowerCase() === "true";
