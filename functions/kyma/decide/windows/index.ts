export { lint } from "./lint.ts";
export { type MaintenanceState, MINIMUM, maintenanceAt } from "./maintenance.ts";
export { type MaintenancePolicy, type Runtime, runtimeOf } from "./policy.ts";
export { type PolicyFault, readMaintenancePolicy } from "./policy-file.ts";
