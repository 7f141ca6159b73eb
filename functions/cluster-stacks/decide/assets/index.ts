export {
  ADDON_CONFIG,
  HOOKS,
  type Hook,
  type Stage,
  type StageCondition,
  type Stages,
} from "./addon-config.ts";
export { type Addons, type Assets, assetsOf } from "./assets.ts";
export type { ChartFiles } from "./charts.ts";
export { type AssetFault, faultText } from "./fault.ts";
export type { Metadata } from "./metadata.ts";
