export type { EffectiveModule } from "./effective-module.ts";
export { type JudgedPolicy, judged, type PolicyObject } from "./judged.ts";
export { type Effective, merge, type Sources } from "./merge.ts";
export { type Override, sentenceOf } from "./overrides.ts";
export { type Policy, type Rules, rulesFor } from "./rules.ts";
export type { Rejection } from "./user.ts";
