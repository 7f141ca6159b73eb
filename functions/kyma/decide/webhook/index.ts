export { installed, installedPlaces } from "./install.ts";
export {
  type Installation,
  type InstalledObject,
  MANAGED,
  TLS_SECRET,
  type WatchedKind,
  WEBHOOK,
} from "./words.ts";
