export { adopted } from "./adoption.ts";
export { type Choice, choose, type Difference, type Reason, type Refusal } from "./choose.ts";
export { type Closing, closings } from "./close.ts";
export { type Act, type Decision, decide, type Situation } from "./decide.ts";
export { type Triggered, triggered } from "./triggers.ts";
export { scheduledUid } from "./uid.ts";
