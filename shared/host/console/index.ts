export {
  type FunctionConsole,
  type FunctionConsoleParts,
  functionConsole,
  type InvokeOptions,
} from "./console.ts";
export { type Change, diffOf, type ObjectDiff } from "./diff.ts";
export { type DryRunParts, dryRun, whatChanged } from "./dry-run.ts";
export { type Invocation, InvocationError, type InvokedRun, unknownFunction } from "./invocation.ts";
export { SEALED, sealed, sealedDiff } from "./seal.ts";
