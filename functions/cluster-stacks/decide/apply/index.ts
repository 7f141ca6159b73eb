export { isOf, OWNED_LABEL, OWNED_VALUE, RELEASE_ANNOTATION } from "./marks.ts";
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
