export type {
  ChartSource,
  Charts,
  Hook,
  RenderedChart,
  RenderedDocument,
  RenderRequest,
} from "./contract.ts";
export { ChartError, type ChartErrorCode, type ChartPlace } from "./errors.ts";
export { charts } from "./port.ts";
