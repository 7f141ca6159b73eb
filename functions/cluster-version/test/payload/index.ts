export { COMPONENTS, type Component } from "./components.ts";
export {
  type GeneratedPayload,
  generatedPayload,
  REAL_PAYLOAD_TASKS,
} from "./generated-payload.ts";
