export type { HandlerAnswer, HandlerQuestion, TrustedHandlers } from "./contract.ts";
export { trustedHandlers } from "./port.ts";
export { HANDLER_NAME, type TrustedHandlersSettings, trustedHandlersSettings } from "./settings.ts";
