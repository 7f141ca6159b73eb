export { type ClassFacts, classOfFacts, leavesAddons, leavesClass } from "./topology.ts";
export {
  type AddonOfClass,
  type ClassPlace,
  type ClusterOfClass,
  classPlace,
  releasePlace,
  type Use,
  type User,
  usedOf,
  usersOf,
  userText,
  usesOf,
} from "./usage.ts";
