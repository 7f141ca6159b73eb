export { CertificateObject } from "./certificate-object.ts";
export {
  authorityChanged,
  runtimeAlive,
  runtimeChanged,
  runtimeId,
  runtimeSilent,
  type Sign,
  signsIn,
  type WatchedObject,
} from "./events.ts";
export { FORMER_MANIFEST_FINALIZERS, KYMA_FINALIZER, MANIFEST_FINALIZER, othersOn } from "./finalizers.ts";
export { InjectedSecret } from "./injected-secret.ts";
export { Gateway, VirtualService } from "./istio.ts";
export {
  Kyma,
  type KymaConditionType,
  type KymaModule,
  type KymaSpec,
  type KymaStatus,
  kymaSpec,
  type ModuleStatus,
} from "./kyma.ts";
export { type EnforcedModule, KymaPolicy, type KymaPolicySpec } from "./kyma-policy.ts";
export { ANNOTATIONS, isSet, LABELS } from "./labels.ts";
export { Manifest, type ManifestConditionType, type ManifestSpec, type SyncedObject } from "./manifest.ts";
export { isComponentName, ModuleReleaseMeta, type ModuleReleaseMetaSpec } from "./module-release-meta.ts";
export { ModuleTemplate, type ModuleTemplateSpec } from "./module-template.ts";

export { PREDECESSOR_KYMA_MANAGERS, PREDECESSOR_MANAGERS, PREDECESSORS } from "./predecessor.ts";
export { type Requirement, requirementsIn, type WrittenRequirement } from "./requirement.ts";
export {
  CONTROL_PLANE,
  isNameable,
  RUNTIME_KYMA,
  RUNTIME_NAMESPACE,
  RuntimeObject,
  runtimeOf,
  runtimes,
  UNNAMEABLE,
} from "./runtime.ts";
export {
  RuntimeDefinition,
  RuntimeKyma,
  RuntimeNamespace,
  RuntimeRelease,
  RuntimeSecret,
  RuntimeTemplate,
  runtimeKymaAt,
  runtimeKymaWait,
} from "./runtime-copies.ts";

export type { State, TrackedObject } from "./state.ts";
export { managerOf, Watcher, type WatcherSpec } from "./watcher.ts";
export { type CustomResourcePolicy, type EmbeddedObject, isModuleName, isModuleVersion } from "./words.ts";
