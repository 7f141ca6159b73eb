export { MESSAGE, OUTCOME, type Outcome, READY_AFTER } from "./behaviour.ts";
export { BESIDE_CONTROLLERS, type SimulatedKind } from "./objects.ts";
export { type SimulatedObject, type Simulator, type SimulatorOptions, startSimulator } from "./start.ts";
export { simulateSystem } from "./system.ts";
