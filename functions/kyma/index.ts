export { Kyma, KymaPolicy, Manifest, ModuleReleaseMeta, ModuleTemplate, Watcher } from "./kinds/index.ts";
export { kyma } from "./system.ts";
