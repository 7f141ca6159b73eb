export { listed, quoted, referenceText } from "./go-text.ts";
export {
  entryOf,
  type InstanceView,
  isRunning,
  isTerminal,
  type Lock,
  lockOf,
  sameVersion,
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
