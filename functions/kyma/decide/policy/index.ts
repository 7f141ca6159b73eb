export type { EffectiveModule } from "./effective-module.ts";
export { type JudgedPolicy, judged, type PolicyObject } from "./judged.ts";
export { beginning, type Effective, merge, type Sources } from "./merge.ts";
export { type Override, sentenceOf } from "./overrides.ts";
export { type Policy, type Rules, rulesFor } from "./rules.ts";
export { policyStatuses } from "./statuses.ts";
export type { Rejection } from "./user.ts";
