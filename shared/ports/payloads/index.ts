export {
  type PayloadBundle,
  type PayloadFile,
  type Payloads,
  unverified,
  type Verification,
  type Verifier,
} from "./contract.ts";
export { PayloadsError, type PayloadsErrorCode } from "./errors.ts";
export { payloads } from "./port.ts";
