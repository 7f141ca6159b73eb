export { isNewerKubernetes } from "./moment.ts";
export { type AddonReads, observeAddon } from "./observe.ts";
export { addonDeletion, addonPass } from "./pass.ts";
export { failedAddon } from "./status.ts";
export { releaseWait, wantedClass } from "./target.ts";
