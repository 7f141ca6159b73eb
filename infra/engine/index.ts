export { type EmbeddedEngine, type EmbeddedEngineOptions, startEmbeddedEngine } from "./embedded.ts";
export {
  type Code,
  type Engine,
  type EngineOptions,
  type Replacing,
  startEngine,
  type WatchingEngine,
} from "./engine.ts";
export type { Roles, WatchMemory, WatchRole, WorkRole } from "./roles.ts";
export { type Routing, routingOf } from "./routing.ts";
