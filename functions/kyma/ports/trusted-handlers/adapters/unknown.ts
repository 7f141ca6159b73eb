import type { HandlerAnswer } from "../contract.ts";

/** The answer about a handler that the configuration does not have. */
export const unknownHandler = (name: string): HandlerAnswer => ({
  state: "refused",
  message: `the trusted handler ${name} is not configured: add it to trustedHandlers`,
});
