export { failedKyma } from "./failed.ts";
export { observeKyma } from "./observe.ts";
export { kymaPass } from "./pass.ts";
export { effectiveOf, firstSpec, lists } from "./wishes.ts";
