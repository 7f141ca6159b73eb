export { addonMark, isOf, type Mark, OWNED_LABEL, OWNED_VALUE, releaseMark } from "./marks.ts";
export { inApplyOrder, isClusterClass, marked } from "./objects.ts";
export { recreation } from "./recreate.ts";
export { type Refusal, refusalOf } from "./refusal.ts";
export { type Recorded, recordedObject, refusedText, servedVersion } from "./served.ts";
export {
  type Application,
  applicationOf,
  inWaves,
  type RenderedObject,
  type Waves,
} from "./waves.ts";
