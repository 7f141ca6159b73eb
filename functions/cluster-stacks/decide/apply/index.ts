export { addonMark, isOf, type Mark, OWNED_LABEL, OWNED_VALUE, releaseMark } from "./marks.ts";
export {
  type ApplicableObject,
  inApplyOrder,
  isClusterClass,
  marked,
  namespaceOf,
  objectsOf,
  type Scope,
} from "./objects.ts";
export { type Refusal, refusalOf } from "./refusal.ts";
export {
  type Application,
  applicationOf,
  inWaves,
  type RenderedObject,
  type Waves,
} from "./waves.ts";
