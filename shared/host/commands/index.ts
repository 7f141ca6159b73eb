export { type CarriedOut, type CommandParts, carryOut } from "./carry-out.ts";
export { PAUSED_FUNCTIONS, type PausedFunctions, pausedFunctions } from "./paused-functions.ts";
export { PAUSE_COMMAND } from "./paused-object.ts";
export { commandRules, pausedFunctionsRules } from "./rights.ts";
export {
  type PausedFunction,
  pausedFunctionsOf,
  pauseOf,
  readPausedFunctions,
  type ToldPause,
} from "./told-pauses.ts";
export { type CommandWorkParts, withCommands } from "./work.ts";
