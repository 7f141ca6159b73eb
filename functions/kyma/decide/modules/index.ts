export { failedKyma } from "./failed.ts";
export { ofManifest, saidBy, saidOfGoing } from "./module-status.ts";
export { observeKyma } from "./observe.ts";
export { kymaPass } from "./pass.ts";
export { lastOperation, type ModulesStatus, ownConditions } from "./state.ts";
export { effectiveOf, firstSpec, isConcernedBy, isWaitingFor, storedSpec } from "./wishes.ts";
export { isForAll, type KymaWorld, moduleOf } from "./world.ts";
