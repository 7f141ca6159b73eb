export type { Hook } from "../assets/index.ts";
export {
  type Answer,
  type AskedAddon,
  type AskedWorld,
  isInstalled,
  isToBeStored,
  mayUpgrade,
  RETRY_SECONDS,
  servedHook,
} from "./answer.ts";
export { ASKED_ANNOTATION, type Asked, askedIn, askedText } from "./asked.ts";
