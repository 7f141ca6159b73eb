export type {
  Absent,
  Component,
  Components,
  Description,
  Failed,
  Faulty,
  Layer,
  LayerSource,
} from "./contract.ts";
export { components } from "./port.ts";
export { type RegistrySettings, registrySettings } from "./settings.ts";
