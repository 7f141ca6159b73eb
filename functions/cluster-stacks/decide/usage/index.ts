export { type ClassFacts, classOfFacts } from "./topology.ts";
export {
  type AddonOfClass,
  type ClassPlace,
  type ClusterOfClass,
  classPlace,
  releasePlace,
  type Use,
  usedOf,
  usersOf,
  usesOf,
} from "./usage.ts";
