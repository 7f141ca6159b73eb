export { lint } from "./lint.ts";
export { type MaintenanceState, MINIMUM, maintenanceAt } from "./maintenance.ts";
export { type MaintenancePolicy, type Runtime, runtimeOf } from "./policy.ts";
export { type PolicyFault, policyIn, readMaintenancePolicy } from "./policy-file.ts";
export { unreadIn } from "./unread.ts";
