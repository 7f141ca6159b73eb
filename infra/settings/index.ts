export { faultText, type SettingFault, SettingsError } from "./errors.ts";
export { outlineOf, type Setting, type SettingPath, variableOf } from "./outline.ts";
export { withTables } from "./page.ts";
export {
  type EffectiveSettings,
  type FlagValue,
  readSettings,
  type Selected,
  type SettingsSources,
} from "./read.ts";
export { EMBEDDED_FILE, type ListenAddress, type Settings, settingsSchema } from "./schema.ts";
export { type ShownSetting, shownSettings } from "./show.ts";
