export * from "./shared/function/index.ts";
export { TerminalError } from "./shared/function/runner/errors.ts";
