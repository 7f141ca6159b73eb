export { type InstanceCondition, type InstanceConditionType, MESSAGE_CHARACTERS } from "./condition.ts";
export type { ExecutionStatus } from "./execution-status.ts";
export { Instance, type InstanceSpec, type PlanExecution } from "./instance.ts";
export type {
  Consumed,
  InstanceStatus,
  InventoryItem,
  PastRun,
  PhaseStatus,
  PlanStatus,
  StepStatus,
  TaskStatus,
} from "./instance-status.ts";
export type { ObjectReference } from "./object-reference.ts";
export { Operator } from "./operator.ts";
export { OperatorVersion, type OperatorVersionSpec } from "./operator-version.ts";
export { type Parameter, VALUE_TYPES, type ValueType } from "./parameter.ts";
export type { Phase, Plan, Step, Strategy } from "./plan.ts";
export { TASK_KINDS, type Task, type TaskKind, type TaskSpec } from "./task.ts";
export { Templated } from "./templated.ts";
