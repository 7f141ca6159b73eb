export type { Catalog, Release, Template } from "./catalog.ts";
export { templateName } from "./catalog.ts";
export { DEFAULT_CHANNEL, isChannel, isNoChannel, type Wish } from "./channel.ts";
export { wayBetween } from "./downgrade.ts";
export { isMandatory, type MandatoryModule, mandatoryModules, releasesByModule } from "./mandatory.ts";
export type { Reason, Resolution } from "./resolution.ts";
export { type Question, resolve, versionAsked } from "./resolve.ts";
export { isFor } from "./restriction.ts";
export { isVisible, lackingLabels } from "./visibility.ts";
