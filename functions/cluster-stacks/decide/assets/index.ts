export type { Stage, StageCondition, Stages } from "./addon-config.ts";
export type { Addons, Assets } from "./assets.ts";
export type { ChartFiles } from "./charts.ts";
export { namesContent } from "./content.ts";
export { type AssetFault, faultText } from "./fault.ts";
export { ADDON_CONFIG, HOOKS, type Hook, STAGE_VALUES } from "./hooks.ts";
export type { Metadata } from "./metadata.ts";
