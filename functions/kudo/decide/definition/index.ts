export { listed, quoted, referenceText } from "./go-text.ts";
export {
  entryOf,
  type InstanceView,
  isRunning,
  isTerminal,
  type Lock,
  lockOf,
  sameVersion,
  versionKey,
} from "./instance.ts";
export {
  CLEANUP,
  DEPLOY,
  type Definition,
  firstPlan,
  hasPlan,
  planNamed,
  UPDATE,
  UPGRADE,
  updatePlan,
  upgradePlan,
} from "./plans.ts";
