export { PARAMETER_CHECKS, type ParameterCheck } from "./extended.ts";
export type { Verification } from "./result.ts";
export { type VerifyOptions, verifyPackage } from "./verify.ts";
export { isVersion } from "./versions.ts";
