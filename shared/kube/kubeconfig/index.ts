export type { ContextConnection } from "./context.ts";
export { KubeconfigError, type KubeconfigErrorCode } from "./errors.ts";
export { type LoadOptions, loadConnection } from "./load.ts";
