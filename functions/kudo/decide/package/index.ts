export {
  defaultInstanceName,
  OPERATOR_LABEL,
  operatorVersionName,
  type PackageObjects,
  packageObjects,
  parameterObject,
  templatesOf,
} from "./convert.ts";
export {
  faultText,
  invalidPackage,
  PackageError,
  type PackageErrorCode,
  type PackageFault,
} from "./errors.ts";
export { isPackageFile, OPERATOR_FILE, PARAMS_FILE, type PackageFiles, readPackage } from "./files.ts";
export type { OperatorFile } from "./operator-yaml.ts";
export { parameterFile } from "./parameter-file.ts";
export type { PackageParameter, ParameterGroup, ParamsFile } from "./params-yaml.ts";
export {
  isVersion,
  PARAMETER_CHECKS,
  type ParameterCheck,
  type Verification,
  type VerifyOptions,
  verifyPackage,
} from "./verify/index.ts";
