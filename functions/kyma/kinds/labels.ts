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
  /** The identity of a runtime: on its Kyma, and on the Manifests of that. */
  runtimeId: `${VENDOR}/runtime-id`,
  globalAccountId: `${VENDOR}/global-account-id`,
  subaccountId: `${VENDOR}/subaccount-id`,
  region: `${VENDOR}/region`,
  platformRegion: `${VENDOR}/platform-region`,
  plan: `${VENDOR}/broker-plan-name`,
} as const;

/** The annotations that decide something: those of upstream as it names them, and our own. */
export const ANNOTATIONS = {
  /** On a Manifest: its objects are handed over to the user, and stay. */
  isUnmanaged: `${PREFIX}/is-unmanaged`,
  /** On an object of a runtime: the Manifest, as namespace/name, or the Kyma that it belongs to. */
  ownedBy: `deprecated-${PREFIX}/owned-by`,
  /** On a Secret of an artifact "true": its content is that of the control plane's of the same name. */
  injected: `${PREFIX}/inject-data-from-kcp`,
  disclaimer: `${PREFIX}/managed-by-reconciler-disclaimer`,
  /** On a Manifest: the digest of the artifact that was last applied whole. */
  syncedArtifact: "sync-oci-ref",
  /** On a Manifest: the default configuration objects of the versions that it had. */
  defaultObjects: "reveille.dev/default-objects",
  /** On a Manifest: the component of its releases. */
  ocmComponentName: `${PREFIX}/ocm-component-name`,
  fqdn: `${PREFIX}/fqdn`,
  /** On a ModuleTemplate "true": its default configuration object has no namespace. */
  isClusterScoped: `${PREFIX}/is-cluster-scoped`,
  /** On a Manifest: the time since when a policy denies its module. */
  deniedSince: "reveille.dev/denied-since",
  /** On a Manifest: what its module needs, and the Manifests of those that provide it. */
  requires: "reveille.dev/requires",
  /** On a Manifest: the capabilities that its module provides. */
  provides: "reveille.dev/provides",
  /** On a Manifest: the handler of the control plane that its module names. On an object of a runtime: the one that answered it. */
  trustedHandler: "reveille.dev/trusted-handler",
  /** On a Manifest: the trusted handlers that may have done something outside for its module, by commas. */
  handledBy: "reveille.dev/handled-by",
  /** On a Kyma: the spec that its user wrote in the runtime. */
  userSpec: "reveille.dev/user-spec",
  /** On a Kyma: the part of the user's wishes that was accepted last. */
  acceptedSpec: "reveille.dev/accepted-spec",
  /** On a Kyma of the cluster that it looks after: the part of its own spec that was accepted last. */
  acceptedOwnSpec: "reveille.dev/accepted-own-spec",
  /** On a Kyma: the domain of its runtime. */
  domain: "skr-domain",
} as const;

/** True for a label that says yes, in whatever case. */
export const isSet = (labels: Readonly<Record<string, string>>, label: string): boolean =>
  labels[label]?.toLowerCase() === "true";
