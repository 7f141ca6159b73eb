export { installed, installedPlaces } from "./install.ts";
export { installPass } from "./pass.ts";
export {
  type Installation,
  type InstalledObject,
  MANAGED,
  SELECTOR,
  TLS_SECRET,
  type WatchedKind,
  WEBHOOK,
} from "./words.ts";
export { type InstallReads, type InstallWorld, observeInstall } from "./world.ts";
